// Shortening a run that fails, as delta debugging does.

extension Runner {
  /// The shortest run found within the time that violates the same rule in the same way.
  package func shortened(_ items: [Item], violating kind: String, within time: Duration = .seconds(20)) -> [Item] {
    var best = items
    let end = ContinuousClock.now + time
    func fails(_ candidate: [Item]) -> Bool { ContinuousClock.now < end && repeated(candidate).first?.kind == kind }
    guard fails(best) else { return best }
    var size = max(1, best.count / 2)
    while size >= 1 {
      var start = 0
      var isShorter = false
      while start < best.count {
        let candidate = without(best, start..<min(start + size, best.count))
        if fails(candidate) {
          best = candidate
          isShorter = true
        } else {
          start += size
        }
      }
      if size == 1 && !isShorter { break }
      size = isShorter && size == 1 ? 1 : size / 2
    }
    best = withoutInterludes(best, fails)
    best = withFewerSteps(best, fails)
    return flattened(best, fails)
  }

  /// Removes items; a program that does not start does no steps either.
  private func without(_ items: [Item], _ range: Range<Int>) -> [Item] {
    var gone: Set<Int> = []
    for item in items[range] {
      if case .start(let operation) = item { gone.insert(operation.id) }
    }
    return items.enumerated().filter { index, item in
      if range.contains(index) { return false }
      if case .step(let id, _) = item { return !gone.contains(id) }
      if case .operate(_, let id, _) = item { return !gone.contains(id) }
      return true
    }.map(\.element)
  }

  private func withoutInterludes(_ items: [Item], _ fails: ([Item]) -> Bool) -> [Item] {
    var best = items
    for index in items.indices {
      if case .step(let id, true) = best[index] {
        var candidate = best
        candidate[index] = .step(id, interrupted: false)
        if fails(candidate) { best = candidate }
      }
      for number in best[index].plan.indices.reversed() {
        var plan = best[index].plan
        plan.remove(at: number)
        var candidate = best
        candidate[index] = best[index].disturbed(by: plan)
        if fails(candidate) { best = candidate }
      }
    }
    return best
  }

  /// Programs that do less.
  private func withFewerSteps(_ items: [Item], _ fails: ([Item]) -> Bool) -> [Item] {
    var best = items
    for index in items.indices {
      guard case .start(var operation) = best[index] else { continue }
      for step in operation.steps.indices.reversed() {
        var shorter = operation
        let removed = shorter.steps.remove(at: step)
        // A program that leaves something out does not do what it meant to do.
        if case .sleep = removed.action {} else { shorter.intent = .anything }
        var candidate = best
        candidate[index] = .start(shorter)
        guard !shorter.steps.isEmpty, fails(candidate) else { continue }
        best = candidate
        operation = shorter
      }
    }
    return best
  }

  /// The same in fewer directories.
  private func flattened(_ items: [Item], _ fails: ([Item]) -> Bool) -> [Item] {
    var best = items
    var directories: Set<Path> = []
    for item in items {
      guard case .start(let operation) = item else { continue }
      for path in operation.paths where path.names.count > 2 { directories.insert(path.parent) }
    }
    for directory in directories.sorted(by: { $0.names.count > $1.names.count }) where directory.names.count > 1 {
      let candidate = best.map { item -> Item in
        guard case .start(let operation) = item else { return item }
        return .start(operation.moved(outOf: directory))
      }
      if keepsApart(best, candidate), fails(candidate) { best = candidate }
    }
    return best
  }

  /// Whether no program has one path now where it had two: a file copied to itself is no copy.
  private func keepsApart(_ items: [Item], _ candidate: [Item]) -> Bool {
    zip(items, candidate).allSatisfy { pair in
      guard case (.start(let old), .start(let new)) = pair else { return true }
      return Set(old.paths).count == Set(new.paths).count
    }
  }
}

internal import FileIdentity
package import FileSystemObservation

/// Compares a change set with the tree before and the tree after it.
package struct StepCheck {
  private typealias Bytes = ArraySlice<UInt8>

  private let before: FileSystemTree
  private let after: FileSystemTree

  package init(before: FileSystemTree, after: FileSystemTree) {
    self.before = before
    self.after = after
  }

  /// The statements of the set that are not true.
  package func contradictions(in steps: [TreeStep]) -> [String] {
    var contradictions = steps.isEmpty ? ["nothing is said"] : []
    for step in steps { contradictions += problems(step).map { "\(text(step)): \($0)" } }
    contradictions += repeated(steps).map { "\($0) goes twice" }
    let count = before.count + balance(steps)
    if after.count != count { contradictions.append("there should be \(count) items, and are \(after.count)") }
    return contradictions
  }

  private func problems(_ step: TreeStep) -> [String] {
    var problems: [String] = []
    if let path = step.formerPath, before.uuid(at: path) != step.uuid { problems.append("it was not there") }
    if let path = step.newPath {
      if after.uuid(at: path) != step.uuid { problems.append("it is not there") }
      if !after.isDirectory(at: parent(path)) { problems.append("its directory is not there") }
    }
    if step.kind == .renamed || step.kind == .moved {
      guard let previous = step.previousPath else { return problems + ["it has no previous path"] }
      let isSameFolder = before.uuid(at: parent(previous)) == after.uuid(at: parent(step.path))
      if isSameFolder != (step.kind == .renamed) { problems.append("its directory is another, or the same") }
      if isSameFolder, name(previous) == name(step.path) { problems.append("it is where it was") }
    }
    return problems
  }

  /// The places that several items leave; a further name may represent a file where its first name went.
  private func repeated(_ steps: [TreeStep]) -> [String] {
    var paths: Set<Bytes> = []
    let unlinked = Set(steps.filter { $0.kind == .unlinked }.map(\.path))
    return steps.compactMap { step in
      guard let path = step.formerPath else { return nil }
      if step.previousPath != nil, unlinked.contains(path) { return nil }
      return paths.insert(path).inserted ? nil : String(decoding: path, as: UTF8.self)
    }
  }

  /// By how many items the tree grows.
  private func balance(_ steps: [TreeStep]) -> Int {
    let gone = steps.filter { $0.kind == .deleted || $0.kind == .unlinked }
    let ended = Set(steps.filter { $0.kind == .deleted }.map(\.uuid))
    var paths: Set<Bytes> = []
    for step in steps {
      switch step.kind {
      case .discovered, .linked: paths.insert(step.path)
      // For an item that was there, this only says that it is a copy.
      case .duplicated where !before.contains(step.uuid) || ended.contains(step.uuid): paths.insert(step.path)
      default: break
      }
    }
    return paths.count - gone.count
  }

  private func parent(_ path: Bytes) -> Bytes { path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)] }

  private func name(_ path: Bytes) -> Bytes {
    path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)...]
  }

  private func text(_ step: TreeStep) -> String {
    let previous = step.previousPath.map { String(decoding: $0, as: UTF8.self) + " -> " } ?? ""
    return "\(step.kind) \(previous)\(String(decoding: step.path, as: UTF8.self)) (\(step.uuid))"
  }
}

// What becomes of names.

extension Recording {
  /// Names of new files that come and go so fast that nobody is to be told of them; new folders are told at once.
  package var fleetingNames: Set<String> {
    var born: [String: Double] = [:]
    var fleeting: Set<String> = []
    for operation in operations {
      switch operation.op {
      case .create, .symlink: born[operation.path] = operation.ms
      case .linktmp: born[operation.to ?? ""] = operation.ms
      case .unlink, .rename, .moveout:
        guard let start = born.removeValue(forKey: operation.path) else { continue }
        // What has been told of before goes on being told of.
        if operation.op == .rename { born[operation.to ?? ""] = start }
        if operation.ms - start < 900 { fleeting.insert(operation.path) } else { fleeting.remove(operation.path) }
      default: break
      }
    }
    return fleeting.filter { before[$0] == nil && after[$0] == nil }
  }

  /// The moves in of what was not moved out before: it is outside from the beginning.
  package var brought: [Operation] {
    var outside: Set<String> = []
    return operations.filter { operation in
      if operation.op == .moveout { outside.insert(operation.path) }
      return operation.op == .movein && outside.remove(operation.path) == nil
    }
  }

  /// Paths at which nothing happens, to them, below them, or to the same file by another name.
  package var bystanders: [String] {
    let touched = operations.flatMap { [$0.path, $0.to].compactMap { $0 } }
    return before.filter { $0.value.nlink ?? 1 < 2 || $0.value.type == "dir" }.keys.filter { path in
      !touched.contains { $0 == path || $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/") }
    }.sorted()
  }

  /// The folder a path is in; nothing for the observed one.
  package static func parent(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

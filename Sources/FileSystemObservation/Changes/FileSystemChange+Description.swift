import FoundationEssentials
import LinuxFileSystem
import SystemPackage

extension FileSystemChange: CustomStringConvertible {
  /// One line: the kind, the path and the beginning of the UUID.
  ///
  /// No file name can forge a line or send terminal commands.
  public var description: String {
    "\(kind.rawValue) \(detail)\(item.relativePath.printable)\(note) \(item.uuid.shortText)"
  }

  private var detail: String { previousPath.map { "\(shortened($0).printable) -> " } ?? "" }

  private var note: String {
    switch event {
    case .discovered(let isCopying, let isReturned):
      (isCopying ? " (still being written)" : "") + (isReturned ? " (returned)" : "")
    case .duplicated(let original): " (copy of \(shortened(original.path).printable))"
    case .deleted(let reason): " (\(reason.rawValue))"
    case .attributesChanged(let attributes): " (\(attributes.words.joined(separator: ", ")))"
    default: ""
    }
  }

  /// The path below the observed directory, if the path is inside it.
  private func shortened(_ path: FilePath) -> FilePath {
    var directory = item.path
    for _ in item.relativePath.components { directory.removeLastComponent() }
    var rest = path
    return rest.removePrefix(directory) && !rest.isEmpty ? rest : path
  }
}

extension FileSystemChange.ChangedAttributes {
  /// The changed attributes as words.
  fileprivate var words: [String] {
    (permissions ? ["permissions"] : []) + (owner ? ["owner"] : []) + names.map(\.escapingControls)
  }
}

extension UUID {
  /// The first eight digits, enough for people to distinguish items.
  var shortText: String { String(uuidString.prefix(8)).lowercased() }
}

import FileSystemObservation

/// The path of an item below the observed folder, and its kind, as tests of patterns write it: a directory's ends with
/// a slash.
struct ItemPath: Sendable, Hashable {
  var directory: [UInt8]
  var name: [UInt8]
  var isDirectory: Bool

  init(_ bytes: [UInt8]) {
    isDirectory = bytes.last == UInt8(ascii: "/")
    let path = isDirectory ? bytes.dropLast() : bytes[...]
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    directory = slash.map { Array(path[..<$0]) } ?? []
    name = Array(path[(slash.map { $0 + 1 } ?? 0)...])
  }

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// The path without the slash that ends a directory's.
  var bytes: [UInt8] { directory.isEmpty ? name : directory + "/".utf8 + name }
}

extension PathPatternList {
  /// Whether an item is matched, or a directory above it.
  func decides(_ path: ItemPath) -> Bool {
    let directory = path.directory.span
    return covers(directory) || matches(path.name.span, in: directory, isDirectory: path.isDirectory)
  }
}

internal import CTestSystem
internal import Glibc
import LinuxFileSystem
package import SystemPackage

/// Folders that are renamed and moved while several threads work in them.
///
/// Each is held open, so that threads act in the folder itself, whatever its path is at that moment.
package final class FolderTree: Sendable {
  private struct Node: Sendable {
    var parent: Int
    var name: String
    let handle: OpenFile
    var folder: Folder
  }

  private let nodes: Mutex<[Node]>
  private let outside: Folder
  private let log = Mutex<[(Moment, String)]>([])

  /// What was done to the folders, and when; for diagnosing a failure.
  package func history(since start: Moment) -> [String] {
    log.withLock { $0.map { "\(Int(($0.0 - start).seconds * 1000)) ms: \($0.1)" } }
  }

  private func note(_ what: String) { log.withLock { $0.append((.now, what)) } }

  /// The root is folder 0.
  package init(_ folder: TestFolder) throws(Errno) {
    outside = folder.outside
    nodes = Mutex([try Self.open(folder.watched.path, parent: -1, name: "")])
  }

  private static func open(_ path: String, parent: Int, name: String) throws(Errno) -> Node {
    let number = try check(unsafe ctest_open(path, O_RDONLY | O_DIRECTORY, 0))
    // Not "self": child processes use the path, too.
    let folder = Folder("/proc/\(getpid())/fd/\(number)")
    return Node(parent: parent, name: name, handle: OpenFile(number), folder: folder)
  }

  package var count: Int { nodes.withLock { $0.count } }

  package subscript(number: Int) -> Folder { nodes.withLock { $0[number].folder } }

  /// The present path of a folder, relative to the root.
  package func path(of number: Int) -> String { nodes.withLock { Self.path(of: number, $0) } }

  private static func path(of number: Int, _ nodes: [Node]) -> String {
    var path = ""
    var current = number
    while current != 0 {
      path = path.isEmpty ? nodes[current].name : "\(nodes[current].name)/\(path)"
      current = nodes[current].parent
    }
    return path
  }

  /// Makes a folder in another.
  package func make(_ name: String, in parent: Int) throws {
    try nodes.withLock { nodes in
      note("make \(name) in \(Self.path(of: parent, nodes))")
      try nodes[parent].folder.mkdir(name)
      nodes.append(try Self.open(nodes[parent].folder[name], parent: parent, name: name))
    }
  }

  /// Renames or moves a folder.
  ///
  /// - Parameter meanwhile: If given, the folder goes outside first, and stays there until this is done.
  /// - Returns: Whether the move is possible: no folder can be moved into itself.
  package func move(_ number: Int, to parent: Int, as name: String, meanwhile: (() -> Void)? = nil) throws -> Bool {
    try nodes.withLock { nodes in
      var current = parent
      while current != 0 && current != number { current = nodes[current].parent }
      if number == 0 || current == number { return false }
      let way = meanwhile == nil ? "" : " by way of outside"
      note("move \(Self.path(of: number, nodes)) to \(name) in \(Self.path(of: parent, nodes))\(way)")
      var source = nodes[nodes[number].parent].folder[nodes[number].name]
      if let meanwhile {
        try outside.rename(source, "folder\(number)")
        source = outside["folder\(number)"]
        meanwhile()
      }
      try nodes[parent].folder.rename(source, name)
      nodes[number].parent = parent
      nodes[number].name = name
      return true
    }
  }

  /// Exchanges two folders, unless one is inside the other.
  package func exchange(_ first: Int, _ second: Int) throws {
    try nodes.withLock { nodes in
      guard first != second, !Self.is(first, in: second, nodes), !Self.is(second, in: first, nodes) else { return }
      note("exchange \(Self.path(of: first, nodes)) with \(Self.path(of: second, nodes))")
      let paths = [first, second].map { nodes[nodes[$0].parent].folder[nodes[$0].name] }
      try outside.exchange(paths[0], paths[1])
      let old = (nodes[first].parent, nodes[first].name)
      (nodes[first].parent, nodes[first].name) = (nodes[second].parent, nodes[second].name)
      (nodes[second].parent, nodes[second].name) = old
    }
  }

  private static func `is`(_ number: Int, in other: Int, _ nodes: [Node]) -> Bool {
    var current = number
    while current > 0 && current != other { current = nodes[current].parent }
    return current == other
  }
}

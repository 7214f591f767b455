import FileIdentity
import LinuxFileSystem

@testable import FileSystemObservation

extension FileGraph {
  /// A graph with nothing but the observed folder.
  static var empty: FileGraph {
    FileGraph(root: FileKey(device: 1, inode: 1, born: 1), uuid: UUIDBits(high: 0, low: 1), seed: 1)
  }

  /// Adds an entry whose inode and identity have this number; a number that is known makes a further name.
  @discardableResult
  mutating func add(
    _ name: String, _ number: UInt64, _ kind: FileKind = .file, in parent: NodeID = .root, _ flags: NodeFlags = []
  ) -> NodeID {
    let key = FileKey(device: 1, inode: number, born: 1)
    let content = Content(
      uuid: UUIDBits(high: 0, low: number), key: key, kind: kind, modified: 7, size: 8, flags: flags)
    return insert(content, named: FileName(name).span, in: parent)
  }
}

import FileIdentity
import LinuxFileSystem

/// The form of an entry in a file: 80 bytes, the lowest byte of each number first.
enum StoredNode {
  static let size = 80

  static func store(_ node: Node, at start: Int, in bytes: inout MutableRawSpan) {
    put(node.uuid.high, at: start, in: &bytes)
    put(node.uuid.low, at: start + 8, in: &bytes)
    put(node.inode, at: start + 16, in: &bytes)
    put(node.born, at: start + 24, in: &bytes)
    put(node.modified, at: start + 32, in: &bytes)
    put(node.size, at: start + 40, in: &bytes)
    put(node.parent.rawValue, at: start + 48, in: &bytes)
    put(node.firstChild, at: start + 52, in: &bytes)
    put(node.nextSibling, at: start + 56, in: &bytes)
    put(node.previousSibling, at: start + 60, in: &bytes)
    put(node.nextName, at: start + 64, in: &bytes)
    put(node.nameOffset, at: start + 68, in: &bytes)
    put(node.device, at: start + 72, in: &bytes)
    put(node.nameCount, at: start + 74, in: &bytes)
    put(node.flags.rawValue, at: start + 76, in: &bytes)
    put(node.kind.rawValue, at: start + 78, in: &bytes)
    put(node.generation, at: start + 79, in: &bytes)
  }

  /// The entry at an offset; the bytes must reach that far.
  static func load(at start: Int, from bytes: RawSpan) throws(StoredDataError) -> Node {
    guard let kind = FileKind(rawValue: get(at: start + 78, from: bytes)) else {
      throw StoredDataError("an entry is of an unknown kind")
    }
    return Node(
      uuid: UUIDBits(high: get(at: start, from: bytes), low: get(at: start + 8, from: bytes)),
      inode: get(at: start + 16, from: bytes), born: get(at: start + 24, from: bytes),
      modified: get(at: start + 32, from: bytes), size: get(at: start + 40, from: bytes),
      parent: NodeID(rawValue: get(at: start + 48, from: bytes)), firstChild: get(at: start + 52, from: bytes),
      nextSibling: get(at: start + 56, from: bytes), previousSibling: get(at: start + 60, from: bytes),
      nextName: get(at: start + 64, from: bytes), nameOffset: get(at: start + 68, from: bytes),
      device: get(at: start + 72, from: bytes), nameCount: get(at: start + 74, from: bytes), kind: kind,
      generation: get(at: start + 79, from: bytes), flags: NodeFlags(rawValue: get(at: start + 76, from: bytes)))
  }

  @inline(__always)
  private static func put<Number: FixedWidthInteger & BitwiseCopyable>(
    _ number: Number, at offset: Int, in bytes: inout MutableRawSpan
  ) {
    bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }

  @inline(__always)
  private static func get<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, from bytes: RawSpan) -> Number {
    // Any bits are a number, and the caller has checked the length.
    Number(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

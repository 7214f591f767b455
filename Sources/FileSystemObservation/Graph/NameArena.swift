import LinuxFileSystem

/// The bytes of all names, in pages of 64 KiB; no name crosses a page.
struct NameArena: Sendable {
  private static let pageSize = 65_536

  private var pages: [ContiguousArray<UInt8>] = []

  /// The bytes that no live name uses.
  private(set) var wasted = 0
  private(set) var used = 0

  /// Stores a name and returns its offset.
  mutating func append(_ name: Span<UInt8>) -> UInt32 {
    if pages.last.map({ $0.count + name.count > Self.pageSize }) ?? true {
      var page = ContiguousArray<UInt8>()
      page.reserveCapacity(Self.pageSize)
      pages.append(page)
    }
    let page = pages.count - 1
    let offset = pages[page].count
    unsafe name.withUnsafeBufferPointer { unsafe pages[page].append(contentsOf: $0) }
    used += name.count
    return UInt32(page) << 16 | UInt32(offset)
  }

  /// Notes that a name is no longer used.
  mutating func discard(count: Int) {
    wasted += count
    used -= count
  }

  func bytes(at offset: UInt32, count: Int) -> ArraySlice<UInt8> {
    let start = Int(offset & 0xffff)
    return ArraySlice(pages[Int(offset >> 16)][start..<start + count])
  }

  func name(at offset: UInt32, count: Int) -> FileName {
    let start = Int(offset & 0xffff)
    let page = pages[Int(offset >> 16)]
    return FileName(page.span.extracting(start..<start + count))
  }

  /// Copies the bytes of a name into a buffer.
  func copy(at offset: UInt32, count: Int, to buffer: inout [UInt8], endingAt end: Int) {
    let start = Int(offset & 0xffff)
    let page = pages[Int(offset >> 16)]
    for index in 0..<count { buffer[end - count + index] = page[start + index] }
  }

  func matches(at offset: UInt32, _ name: Span<UInt8>) -> Bool {
    let start = Int(offset & 0xffff)
    let page = pages[Int(offset >> 16)]
    let span = page.span
    for index in name.indices where span[start + index] != name[index] { return false }
    return true
  }

  func areSame(at first: UInt32, and second: UInt32, count: Int) -> Bool {
    let (start, page) = (Int(second & 0xffff), pages[Int(second >> 16)])
    return matches(at: first, page.span.extracting(start..<start + count))
  }

  func hash(at offset: UInt32, count: Int, in parent: NodeID, _ hashing: KeyedHash) -> UInt64 {
    let start = Int(offset & 0xffff)
    let page = pages[Int(offset >> 16)]
    return hashing(page.span.extracting(start..<start + count), in: parent)
  }
}

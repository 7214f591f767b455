import LinuxFileSystem

/// The bytes of all names, in pages of 64 KiB; no name crosses a page.
struct NameArena: Sendable {
  static let pageSize = 65_536

  private var pages: [ContiguousArray<UInt8>] = []
  /// How often the names were compacted: pages of one generation only grow.
  let generation: Int

  /// The bytes that no live name uses.
  private(set) var wasted = 0
  private(set) var used = 0

  init(generation: Int = 0) {
    self.generation = generation
  }

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
    return pages[Int(offset >> 16)][start..<start + count]
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

// MARK: - Storing

extension NameArena {
  /// Makes an arena from stored pages, of which some bytes are in use.
  ///
  /// - Parameter pages: Each of at most 64 KiB.
  init(pages: [ContiguousArray<UInt8>], used: Int) {
    self.init()
    self.pages = pages
    self.used = used
    wasted = pages.reduce(0) { $0 + $1.count } - used
  }

  /// The number of bytes of each page.
  var pageSizes: [Int] { pages.map(\.count) }

  func page(_ number: Int) -> ContiguousArray<UInt8> { pages[number] }

  /// Whether a name of this length is within a page.
  func contains(_ offset: UInt32, count: Int) -> Bool {
    let page = Int(offset >> 16)
    return page < pages.count && Int(offset & 0xffff) + count <= pages[page].count
  }

  /// Whether bytes can be the name of an entry in a directory; no bytes are the root's.
  func isUsable(at offset: UInt32, count: Int) -> Bool {
    let bytes = bytes(at: offset, count: count)
    let dots = bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    return (count > 2 || count == 0 || !dots) && !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0)
  }
}

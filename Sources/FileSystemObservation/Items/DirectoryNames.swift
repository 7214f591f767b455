import Glibc

/// The names of one directory for sorting by their bytes; a folder with contents appears again with a slash after its
/// name.
struct DirectoryNames {
  /// A name in the list.
  struct Entry {
    /// The number of the name.
    var number: Int
    /// Whether the entry has a slash.
    var isBelow: Bool
    fileprivate var start: Int
    fileprivate var count: Int
    /// Eight bytes after the common prefix: nearly always enough to compare.
    fileprivate var key: UInt64 = 0
  }

  /// All names, each with a slash after it.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var count = 0

  mutating func append(_ name: ArraySlice<UInt8>, isAlsoFolder: Bool) {
    let start = bytes.count
    bytes.append(contentsOf: name)
    bytes.append(UInt8(ascii: "/"))
    entries.append(Entry(number: count, isBelow: false, start: start, count: name.count))
    if isAlsoFolder { entries.append(Entry(number: count, isBelow: true, start: start, count: name.count + 1)) }
    count += 1
  }

  consuming func sorted() -> [Entry] {
    var entries = entries
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let common = unsafe Self.commonCount(of: entries, bytes)
      for index in entries.indices { entries[index].key = unsafe Self.key(of: entries[index], from: common, bytes) }
      entries.sort { unsafe Self.precedes($0, $1, bytes) }
    }
    return entries
  }

  /// The length of the common prefix.
  private static func commonCount(of entries: [Entry], _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard let first = entries.first else { return 0 }
    var common = first.count
    for entry in entries {
      common = min(common, entry.count)
      var same = 0
      while same < common, unsafe bytes[first.start + same] == bytes[entry.start + same] { same += 1 }
      common = same
    }
    return common
  }

  /// Shorter names sort first: no name contains a NUL.
  private static func key(of entry: Entry, from start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    for index in start..<start + 8 {
      key = key << 8 | (index < entry.count ? UInt64(unsafe bytes[entry.start + index]) : 0)
    }
    return key
  }

  private static func precedes(_ first: Entry, _ second: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if first.key != second.key { return first.key < second.key }
    guard let base = bytes.baseAddress else { return false }
    let order = unsafe memcmp(base + first.start, base + second.start, min(first.count, second.count))
    return order == 0 ? first.count < second.count : order < 0
  }
}

import LinuxFileSystem

/// The memory of a `NodeIndex`: buckets of 64 bytes, each in one cache line.
///
/// A bucket has the bytes of twelve hashes, four unused bytes, and the numbers of twelve nodes. With separate arrays of
/// bytes and numbers, each look-up waited for two cache lines and two page table entries (a million tagged files in
/// turns: 0.95 s of processor time outside the kernel, now 0.79 s).
///
/// It is `Sendable` because a `NodeIndex` changes it only as its sole owner, and shared buckets are only read.
@safe
final class NodeBuckets: @unchecked Sendable {
  /// The number of nodes in a bucket.
  static let slotCount = 12
  /// The byte of an unused slot.
  static let empty: UInt8 = 0

  private static let size = 64
  private static let numbers = 16
  private static let each: UInt64 = 0x0101_0101_0101_0101
  /// The bytes of the second word that belong to slots.
  private static let upperHalf: UInt64 = 0xffff_ffff

  let count: Int
  /// The bits of a hash that choose the bucket.
  let mask: Int
  private let memory: UnsafeMutableRawPointer

  /// Makes empty buckets; their number is a power of two.
  init(count: Int) {
    self.count = count
    mask = count - 1
    unsafe memory = .allocate(byteCount: count * Self.size, alignment: Self.size)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: Self.empty, count: count * Self.size)
  }

  init(copying other: NodeBuckets) {
    count = other.count
    mask = other.mask
    unsafe memory = .allocate(byteCount: count * Self.size, alignment: Self.size)
    unsafe memory.copyMemory(from: other.memory, byteCount: count * Self.size)
  }

  deinit {
    unsafe memory.deallocate()
  }

  private func address(_ bucket: Int) -> UnsafeMutableRawPointer {
    assert(bucket >= 0 && bucket < count)
    // Without a check for an overflow: the mask keeps each bucket within the memory.
    return unsafe memory + bucket &* Self.size
  }

  /// The slots with this byte.
  @inline(__always)
  func slots(in bucket: Int, with byte: UInt8) -> Slots {
    let address = unsafe address(bucket)
    let pattern = UInt64(byte) &* Self.each
    return unsafe Slots(
      lower: Self.zeroBytes(address.load(as: UInt64.self) ^ pattern),
      upper: Self.zeroBytes((address + 8).load(as: UInt64.self) ^ pattern) & Self.upperHalf)
  }

  @inline(__always)
  func firstEmptySlot(in bucket: Int) -> Int? {
    let address = unsafe address(bucket)
    let lower = unsafe Self.zeroBytes(address.load(as: UInt64.self))
    if lower != 0 { return lower.trailingZeroBitCount / 8 }
    let upper = unsafe Self.zeroBytes((address + 8).load(as: UInt64.self)) & Self.upperHalf
    return upper == 0 ? nil : 8 + upper.trailingZeroBitCount / 8
  }

  func byte(_ bucket: Int, _ slot: Int) -> UInt8 { unsafe address(bucket).load(fromByteOffset: slot, as: UInt8.self) }

  func node(_ bucket: Int, _ slot: Int) -> NodeID {
    unsafe NodeID(rawValue: address(bucket).load(fromByteOffset: Self.numbers + slot * 4, as: UInt32.self))
  }

  func set(_ bucket: Int, _ slot: Int, _ node: NodeID, _ byte: UInt8) {
    let address = unsafe address(bucket)
    unsafe address.storeBytes(of: byte, toByteOffset: slot, as: UInt8.self)
    unsafe address.storeBytes(of: node.rawValue, toByteOffset: Self.numbers + slot * 4, as: UInt32.self)
  }

  func clear(_ bucket: Int, _ slot: Int) {
    unsafe address(bucket).storeBytes(of: Self.empty, toByteOffset: slot, as: UInt8.self)
  }

  func prefetch(_ bucket: Int) { unsafe ProcessorCache.prefetch(address(bucket)) }

  /// Sets the top bit of each byte that is zero.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    let lowBits: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
    return ~((word & lowBits) &+ lowBits | word | lowBits)
  }

  /// Some slots of one bucket: a bit in the byte of each.
  struct Slots {
    fileprivate var lower: UInt64
    fileprivate var upper: UInt64

    @inline(__always)
    mutating func popFirst() -> Int? {
      if lower != 0 {
        defer { lower &= lower &- 1 }
        return lower.trailingZeroBitCount / 8
      }
      guard upper != 0 else { return nil }
      defer { upper &= upper &- 1 }
      return 8 + upper.trailingZeroBitCount / 8
    }
  }
}

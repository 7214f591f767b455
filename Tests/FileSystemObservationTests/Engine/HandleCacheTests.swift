import Testing

@testable import FileSystemObservation

/// The open directories that were used last.
struct HandleCacheTests {
  private static func id(_ number: Int) -> NodeID { NodeID(index: number) }

  private static func filled(_ numbers: Range<Int>, limit: Int) -> HandleCache<Int> {
    var cache = HandleCache<Int>(limit: limit)
    for number in numbers { cache.insert(number, for: id(number)) }
    return cache
  }

  @Test func theLessRecentlyUsedHalfIsClosed() {
    var cache = Self.filled(0..<8, limit: 8)
    #expect(cache.find(Self.id(0)) == 0)
    cache.insert(8, for: Self.id(8))
    let open = (0...8).filter { cache.find(Self.id($0)) != nil }
    #expect(open.first == 0 && open.last == 8 && open.count <= 5 && !open.contains(1))
  }

  @Test func whatIsPassingIsClosedAtTheEndOfTheStep() {
    var cache = Self.filled(0..<2, limit: 8)
    cache.insert(2, for: Self.id(2), isPassing: true)
    #expect(cache.find(Self.id(2)) == 2)
    cache.removePassing()
    #expect(cache.find(Self.id(2)) == nil && cache.find(Self.id(1)) == 1)
  }

  @Test func whatIsRemovedIsClosed() {
    var cache = Self.filled(0..<3, limit: 8)
    cache.remove(Self.id(1))
    #expect(cache.find(Self.id(1)) == nil && cache.find(Self.id(2)) == 2)
    cache.removeAll()
    #expect(cache.find(Self.id(2)) == nil)
  }
}

import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The bytes of all names.
struct NameArenaTests {
  /// Names of all lengths, more than one page of them, and some that begin alike.
  private static let names: [[UInt8]] = {
    var random = SplitMix64(seed: 3)
    return (0..<600).map { number in
      let count = [0, 1, 7, 8, 9, 255, 4_095][number % 7]
      return (0..<count).map { _ in UInt8.random(in: 97...99, using: &random) }
    }
  }()

  @Test func namesAreKeptAsTheyAre() {
    var arena = NameArena()
    let offsets = Self.names.map { arena.append($0.span) }
    for (offset, name) in zip(offsets, Self.names) {
      #expect(Array(arena.bytes(at: offset, count: name.count)) == name && arena.matches(at: offset, name.span))
      #expect(Array(arena.name(at: offset, count: name.count).bytes) == name)
    }
    #expect(offsets.contains { $0 >> 16 > 0 }, "they take more than one page")
    #expect(arena.used == Self.names.map(\.count).reduce(0, +) && arena.wasted == 0)
  }

  @Test func namesThatDifferDoNotMatch() {
    var arena = NameArena()
    let offsets = ["abcdefghi", "abcdefghj", "abcdefghi"].map { arena.append(Array($0.utf8).span) }
    #expect(arena.areSame(at: offsets[0], and: offsets[2], count: 9))
    #expect(!arena.areSame(at: offsets[0], and: offsets[1], count: 9))
    #expect(arena.areSame(at: offsets[0], and: offsets[1], count: 8))
  }

  @Test func aNameIsCopiedBeforeAnEnd() {
    var arena = NameArena()
    let offset = arena.append(Array("name".utf8).span)
    var buffer = Array("//////".utf8)
    arena.copy(at: offset, count: 4, to: &buffer, endingAt: 5)
    #expect(String(decoding: buffer, as: UTF8.self) == "/name/")
  }

  @Test func whatIsDiscardedIsCounted() {
    var arena = NameArena()
    for name in Self.names { _ = arena.append(name.span) }
    let all = arena.used
    arena.discard(count: 255)
    #expect(arena.used == all - 255 && arena.wasted == 255)
  }
}

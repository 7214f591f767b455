import FileEvents
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What the engine makes of hints before it follows them.
struct HintOrderTests {
  private func file(_ number: UInt64) -> HintedFile {
    HintedFile(handle: KernelHandle(fileSystem: 1, words: (number, 0)).handle, inode: number)
  }

  private func rename(_ old: String, _ new: String, _ cookie: UInt32, _ file: HintedFile?) -> [Hint] {
    [(old, HintKinds.movedFrom), (new, .movedTo)].map { name, kind in
      Hint(directory: MarkID(rawValue: 1), kinds: kind, cookie: cookie, name: FileName(name), file: file)
    }
  }

  @Test func twoFilesThatChangeNamesAreExchanged() {
    let finder = ExchangeFinder(hints: rename("a", "b", 1, file(1)) + rename("b", "a", 2, file(2)))
    #expect(finder.finding(at: 0) == .exchange(to: 1, backFrom: 2, backTo: 3))
    #expect(finder.isCertain(0, 2))
  }

  @Test func aFileThatGoesThereAndBackIsNotExchanged() {
    let finder = ExchangeFinder(hints: rename("a", "b", 1, file(1)) + rename("b", "a", 2, file(1)))
    #expect(finder.finding(at: 0) == .rename)
  }

  /// inotify does not say: what stands at the names must tell.
  @Test func withoutHandlesAnExchangeIsNotCertain() {
    let finder = ExchangeFinder(hints: rename("a", "b", 1, nil) + rename("b", "a", 2, nil))
    #expect(finder.finding(at: 0) == .exchange(to: 1, backFrom: 2, backTo: 3))
    #expect(!finder.isCertain(0, 2))
  }

  @Test func aTagIsTakenOutOnce() {
    var tags = OwnTags()
    let place = Place(parent: .root, name: FileName("a"))
    let other = Place(parent: .root, name: FileName("b"))
    #expect([tags.take(place) != nil] == [false])
    tags.insert(place)
    let others = [tags.take(other) != nil, tags.take(place) != nil, tags.take(place) != nil]
    #expect(others == [false, true, false])
  }

  /// What nothing tells of must not be remembered for ever.
  @Test func tagsAreNotKeptForEver() {
    var tags = OwnTags()
    let places = (0..<70_000).map { Place(parent: .root, name: FileName("\($0)")) }
    for place in places { tags.insert(place) }
    #expect(places.count { tags.take($0) != nil } == 70_000 - 65_536)
  }
}

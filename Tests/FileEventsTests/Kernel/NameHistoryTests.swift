import Testing

@testable import FileEvents
@testable import LinuxFileSystem

/// What can be known of the order, where the kernel tells of repetitions only once.
struct NameHistoryTests {
  private func file(_ number: UInt64) -> FileHandle { KernelHandle(fileSystem: 1, words: (number, 0)).handle }

  private func place(_ name: String, in directory: Int32 = -2) -> NamedPlace {
    var key = Digest()
    key.combine(UInt64(bitPattern: Int64(directory)))
    for byte in name.utf8 { key.combine(UInt64(byte)) }
    return NamedPlace(mark: MarkID(rawValue: directory), name: FileName(name), key: key)
  }

  private func names(_ places: [NamedPlace]) -> Set<String> { Set(places.map(\.name.description)) }

  @Test func aFileThatGoesOnIsCertain() {
    var history = NameHistory()
    #expect(history.create(file(1), at: place("a")) == .init())
    #expect(history.rename(file(1), from: place("b"), to: place("c")) == .init())
    #expect(history.rename(file(1), from: place("c"), to: place("d")) == .init())
    #expect(history.remove(file(1), from: place("d")) == .init())
    #expect(history.takeLooks().isEmpty)
  }

  @Test func aFileThatComesBackMayHaveGoneAgain() {
    var history = NameHistory()
    #expect(history.rename(file(1), from: place("a"), to: place("b")) == .init())
    #expect(history.rename(file(1), from: place("b"), to: place("c")) == .init())
    #expect(history.rename(file(1), from: place("c"), to: place("a")).isUnordered)
    #expect(names(history.takeLooks()) == ["a", "b", "c"])
    #expect(history.takeLooks().isEmpty)
    #expect(history.rename(file(1), from: place("a"), to: place("d")).isUnordered)
  }

  /// The way back came first: what it went back from may be merged, too.
  @Test func theOrderOfThereAndBackDoesNotMatter() {
    var history = NameHistory()
    #expect(history.rename(file(1), from: place("b"), to: place("a")) == .init())
    #expect(history.rename(file(1), from: place("a"), to: place("b")).isUnordered)
  }

  /// What a long backlog took is given back; what is still to be looked at stays.
  @Test func aLongHistoryIsForgotten() {
    var history = NameHistory()
    _ = history.remove(file(1), from: place("a"))
    _ = history.rename(file(1), from: place("a"), to: place("b"))
    for number in UInt64(2)..<10_000 { _ = history.create(file(number), at: place("n\(number)")) }
    history.forget()
    #expect(history.isEmpty)
    #expect(names(history.takeLooks()) == ["a"])
    #expect(history.create(file(1), at: place("a")) == .init())
  }

  @Test func aNameThatWasLeftTwiceIsInDoubt() {
    var history = NameHistory()
    #expect(history.remove(file(1), from: place("a")) == .init())
    #expect(history.rename(file(1), from: place("a"), to: place("b")).isUnordered)
  }

  /// A record says removed, and stands where the file was made or written.
  @Test func aFileThatWasRemovedBeforeItWasRenamedIsInDoubt() {
    var history = NameHistory()
    _ = history.create(file(1), at: place("a"))
    _ = history.remove(file(1), from: place("a"))
    #expect(history.rename(file(1), from: place("a"), to: place("b")).isUnordered)
    #expect(names(history.takeLooks()) == ["a"])
  }

  @Test func otherFilesThatComeToADoubtfulNameAreInDoubtToo() {
    var history = NameHistory()
    _ = history.rename(file(1), from: place("a"), to: place("b"))
    _ = history.rename(file(1), from: place("b"), to: place("a"))
    _ = history.takeLooks()
    #expect(history.rename(file(2), from: place("x"), to: place("y")) == .init())
    #expect(history.rename(file(2), from: place("y"), to: place("b")).isUnordered)
    #expect(names(history.takeLooks()) == ["x", "y", "b"])
    #expect(history.create(file(3), at: place("y")).isUnordered)
    #expect(history.create(file(4), at: place("z")) == .init())
    #expect(history.create(file(4), at: place("a", in: -3)) == .init(), "the same name in another folder")
  }

  @Test func aTemporaryNameIsLookedAtWhenItIsLeft() {
    var history = NameHistory()
    _ = history.create(file(1), at: place("tmp"))
    let verdict = history.rename(file(1), from: place("tmp"), to: place("document"))
    #expect(verdict == .init(isUnordered: false, mustLookAtOrigin: true))
    #expect(history.takeLooks().isEmpty)
  }

  /// Another file took the name that a link had, and left it: the link may have been made once more.
  @Test func aNameThatHadALinkIsLookedAtWhoeverLeavesIt() {
    var history = NameHistory()
    _ = history.create(file(1), at: place("a"))
    #expect(history.rename(file(2), from: place("x"), to: place("a")) == .init())
    #expect(history.rename(file(2), from: place("a"), to: place("y")).mustLookAtOrigin)
  }

  @Test func oneSidedRenamesCount() {
    var history = NameHistory()
    #expect(history.rename(file(1), from: place("a"), to: nil) == .init())
    #expect(history.rename(file(1), from: nil, to: place("a")).isUnordered)
  }

  @Test func anEmptyQueueEndsAllDoubt() {
    var history = NameHistory()
    _ = history.rename(file(1), from: place("a"), to: place("b"))
    _ = history.rename(file(1), from: place("b"), to: place("a"))
    _ = history.takeLooks()
    history.forget()
    #expect(history.isEmpty)
    #expect(history.rename(file(1), from: place("a"), to: place("b")) == .init())
  }
}

import Testing

@testable import FileEvents
@testable import LinuxFileSystem

/// How records of fanotify become hints.
struct FanotifyTranslatorTests {
  /// A queue that is read, and the directories that it marks.
  private struct Reading {
    var translator = FanotifyTranslator()
    var batch = HintBatch()

    mutating func mark(_ number: UInt64, for scope: MarkScope = .entries) -> MarkID {
      translator.directories.insert(handle(number), inode: nil, for: scope)
    }

    func handle(_ number: UInt64) -> KernelHandle { KernelHandle(fileSystem: 1, words: (number, 0)) }

    /// A record about the name in a directory, or about that itself.
    mutating func tell(
      _ mask: FanotifyMask, _ directory: UInt64, _ name: String, file: UInt64? = nil, isOwn: Bool = false
    ) {
      unsafe withPlace(directory, name) { reading, place in
        let event = unsafe FanotifyEvent(
          mask: mask, isOwn: isOwn, place: place, file: file.map { reading.handle($0) })
        unsafe reading.translator.append(event, to: &reading.batch)
      }
    }

    mutating func rename(
      _ old: (UInt64, String)?, _ new: (UInt64, String)?, file: UInt64, isDirectory: Bool = false
    ) {
      unsafe withPlace(old?.0 ?? 0, old?.1 ?? "-") { reading, from in
        unsafe reading.withPlace(new?.0 ?? 0, new?.1 ?? "-") { reading, to in
          let event = unsafe FanotifyEvent(
            mask: isDirectory ? [.rename, .onDirectory] : .rename, old: old == nil ? nil : from,
            new: new == nil ? nil : to, file: reading.handle(file))
          unsafe reading.translator.append(event, to: &reading.batch)
        }
      }
    }

    private mutating func withPlace(
      _ directory: UInt64, _ name: String, _ body: (inout Reading, FanotifyEvent.Place) -> Void
    ) {
      let handle = handle(directory)
      unsafe Array(name.utf8).withUnsafeBufferPointer { bytes in
        unsafe body(&self, FanotifyEvent.Place(directory: handle, name: bytes))
      }
    }

    mutating func overflow() {
      unsafe translator.append(FanotifyEvent(mask: .queueOverflow), to: &batch)
    }

    var hints: [Hint] { batch.hints }
    var words: [String] { batch.hints.map { "\($0.name?.description ?? "-")" } }
  }

  @Test(
    arguments: [
      (.create, .created), (.delete, .removed), (.modify, .written), (.closeWrite, .closed), (.attribute, .attributes),
      ([.create, .onDirectory], [.created, .directory]), ([.modify, .closeWrite], [.written, .closed]),
      ([.create, .modify, .closeWrite], [.created, .written, .closed]),
    ] as [(FanotifyMask, HintKinds)])
  func eachBitHasItsKind(_ mask: FanotifyMask, _ kinds: HintKinds) {
    var reading = Reading()
    let mark = reading.mark(1)
    reading.tell(mask, 1, "a", file: 5)
    let file = HintedFile(handle: reading.handle(5).handle, inode: 0)
    #expect(reading.hints == [Hint(directory: mark, kinds: kinds, name: FileName("a"), file: file)])
  }

  /// Which entry it was, only a listing tells; our own tags need none.
  @Test func whatHappensUnderANameThatIsNotKnownHasTheDirectoryListed() {
    var reading = Reading()
    let (mark, ancestor) = (reading.mark(1), reading.mark(2, for: .departures))
    reading.tell(.create, 1, "", file: 5)
    reading.tell([.modify, .closeWrite], 1, "", file: 5)
    reading.tell(.attribute, 1, "", file: 5, isOwn: true)
    reading.tell(.create, 2, "", file: 6)
    reading.tell(.create, 3, "", file: 6)
    #expect(reading.hints == [Hint(directory: mark, kinds: .markAgain)] && ancestor != mark)
  }

  @Test func anOverflowIsTold() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell(.create, 1, "a", file: 5)
    reading.overflow()
    #expect(reading.batch.overflowed)
    #expect(reading.hints.count == 1)
  }

  @Test func aRenameIsTwoHalvesWithOneCookie() throws {
    var reading = Reading()
    let (one, two) = (reading.mark(1), reading.mark(2))
    reading.rename((1, "a"), (2, "b"), file: 5)
    reading.rename((2, "d"), (1, "e"), file: 6, isDirectory: true)
    try #require(reading.hints.count == 4)
    let hints = reading.hints
    #expect(hints.map(\.directory) == [one, two, two, one])
    #expect(hints.map(\.kinds) == [.movedFrom, .movedTo, [.movedFrom, .directory], [.movedTo, .directory]])
    #expect(reading.words == ["a", "b", "d", "e"])
    #expect(hints[0].cookie == hints[1].cookie && hints[2].cookie == hints[3].cookie)
    #expect(Set([0, hints[0].cookie, hints[2].cookie]).count == 3)
    #expect(hints.allSatisfy { $0.traits == [] })
  }

  /// To or from where nothing is marked: inotify tells one half, and so does this.
  @Test func aRenameThatLeavesOrEntersTheTreeHasOneHalf() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.rename((1, "a"), nil, file: 5)
    reading.rename(nil, (1, "b"), file: 6)
    // With the whole file system marked, both sides are told.
    reading.rename((1, "c"), (9, "out"), file: 7)
    reading.rename((9, "in"), (1, "d"), file: 8)
    reading.rename((9, "x"), (9, "y"), file: 9)
    #expect(reading.hints.map(\.kinds) == [.movedFrom, .movedTo, .movedFrom, .movedTo])
    #expect(reading.words == ["a", "b", "c", "d"])
  }

  @Test func nothingIsToldOfDirectoriesThatAreNotMarked() {
    var reading = Reading()
    _ = reading.mark(1)
    for mask in [.create, .delete, .modify, .closeWrite, .attribute] as [FanotifyMask] {
      reading.tell(mask, 9, "a", file: 5)
    }
    reading.tell([.delete, .onDirectory], 9, "d", file: 8)
    #expect(reading.batch.isEmpty)
  }

  @Test func aDirectoryKeepsItsNumberUntilItIsForgotten() {
    var reading = Reading()
    let mark = reading.mark(1, for: .entriesWithoutAttributes)
    let again = [reading.mark(1), reading.mark(2)]
    #expect(again[0] == mark && again[1] != mark)
    let wasKnown = reading.translator.directories.remove(mark)
    let isStillKnown = reading.translator.directories.remove(mark)
    #expect(wasKnown && !isStillKnown)
    reading.tell(.create, 1, "a", file: 5)
    #expect(reading.batch.isEmpty)
    let later = reading.mark(1)
    #expect(later != mark)
  }

  // MARK: What is merged

  /// What was written belongs to the file that is gone, whatever stands there now.
  @Test func aRemovalComesAfterWhatElseItsRecordSays() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell([.delete, .modify, .closeWrite], 1, "a", file: 5)
    reading.tell([.create, .modify, .closeWrite], 1, "a", file: 6)
    #expect(reading.hints.map(\.kinds) == [[.written, .closed], .removed, [.created, .written, .closed]])
    #expect(reading.hints.allSatisfy { !$0.traits.contains(.unordered) })
  }

  /// Made and removed, or removed and linked once more: that must be looked at.
  @Test func aNameThatWasMadeAndRemovedIsLookedAt() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell([.create, .delete], 1, "a", file: 5)
    #expect(reading.hints.map(\.kinds) == [.created, .removed])
    #expect(reading.hints.allSatisfy { $0.traits == .look })
  }

  @Test func thereAndBackIsNotTakenAtItsWord() {
    var reading = Reading()
    let mark = reading.mark(1)
    reading.rename((1, "a"), (1, "b"), file: 5)
    reading.rename((1, "b"), (1, "a"), file: 5)
    #expect(reading.hints.map { $0.traits.contains(.unordered) } == [false, false, true, true, true, true])
    let looks = reading.hints.suffix(2)
    #expect(Set(looks.map { $0.name?.description ?? "" }) == ["a", "b"])
    #expect(looks.allSatisfy { $0.kinds == [] && $0.traits == [.unordered, .look] && $0.directory == mark })
  }

  @Test func afterTheQueueWasEmptyItIs() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.rename((1, "a"), (1, "b"), file: 5)
    reading.translator.queueWasEmpty()
    reading.rename((1, "b"), (1, "a"), file: 5)
    #expect(reading.hints.count == 4)
    #expect(reading.hints.allSatisfy { $0.traits == [] })
  }

  /// Two names that are exchanged are two files: neither comes back.
  @Test func anExchangeIsCertain() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.rename((1, "a"), (1, "b"), file: 5)
    reading.rename((1, "b"), (1, "a"), file: 6)
    #expect(reading.hints.allSatisfy { $0.traits == [] })
  }

  @Test func theWritesOfOneFileAreOneHint() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell(.modify, 1, "a", file: 5)
    reading.tell([.modify, .closeWrite], 1, "a", file: 5)
    #expect(reading.hints.map(\.kinds) == [[.written, .closed]])
    reading.tell(.modify, 1, "a", file: 5)
    #expect(reading.hints.map(\.kinds) == [.written])
    // The same name, another file: it was removed and made anew.
    reading.tell(.modify, 1, "a", file: 6)
    #expect(reading.hints.count == 2)
  }

  // MARK: Own writes

  @Test func ownTagsAreKnown() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell(.attribute, 1, "a", file: 5, isOwn: true)
    reading.tell([.attribute, .onDirectory], 1, ".", isOwn: true)
    #expect(reading.hints.map(\.traits) == [.own, .own])
  }

  /// Together with anything else it is the app's own doing, or more than a tag; and another's is another's.
  @Test(
    arguments: [
      ([.attribute, .closeWrite], true), ([.attribute, .create], true), ([.attribute, .delete], true),
      (.closeWrite, true), (.attribute, false),
    ] as [(FanotifyMask, Bool)])
  func whatIsNoTagOfOursIsNotTakenForOne(_ mask: FanotifyMask, _ isOwn: Bool) {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell(mask, 1, "a", file: 5, isOwn: isOwn)
    #expect(!reading.hints.isEmpty)
    #expect(reading.hints.allSatisfy { !$0.traits.contains(.own) })
  }

  @Test func attributesAreToldWhereWanted() {
    var reading = Reading()
    _ = reading.mark(1, for: .entriesWithoutAttributes)
    reading.tell(.attribute, 1, "a", file: 5)
    reading.tell([.attribute, .onDirectory], 1, ".")
    #expect(reading.batch.isEmpty)
    reading.tell([.attribute, .closeWrite], 1, "a", file: 5)
    #expect(reading.hints.map(\.kinds) == [.closed])
  }

  // MARK: Directories themselves

  @Test func aDirectoryTellsOfItself() {
    var reading = Reading()
    let mark = reading.mark(1)
    reading.tell([.attribute, .onDirectory], 1, ".")
    reading.tell([.moveSelf, .onDirectory], 1, ".")
    reading.tell([.deleteSelf, .onDirectory], 1, ".")
    #expect(
      reading.hints == [
        Hint(directory: mark, kinds: [.attributes, .directory]), Hint(directory: mark, kinds: .selfMoved),
        Hint(directory: mark, kinds: .selfRemoved),
      ])
  }

  /// The parent of the observed directory is marked only to learn of that.
  @Test func aParentTellsOfTheObservedDirectoryAndNothingElse() {
    var reading = Reading()
    let (root, parent, _) = (reading.mark(1), reading.mark(2, for: .departures), reading.mark(3, for: .itself))
    reading.tell(.create, 2, "sibling", file: 7)
    reading.tell([.delete, .onDirectory], 2, "sibling", file: 8)
    reading.rename((2, "sibling"), (2, "file"), file: 7)
    reading.rename((3, "other"), (3, "directory"), file: 8, isDirectory: true)
    #expect(reading.batch.isEmpty)
    reading.tell([.delete, .onDirectory], 2, "root", file: 1)
    reading.rename((2, "root"), (9, "moved"), file: 1, isDirectory: true)
    reading.rename((3, "parent"), (3, "other"), file: 2, isDirectory: true)
    #expect(
      reading.hints == [
        Hint(directory: root, kinds: .selfRemoved), Hint(directory: root, kinds: .selfMoved),
        Hint(directory: parent, kinds: .selfMoved),
      ])
  }

  /// Another directory may have been put over the observed one: nothing else tells.
  @Test func aDirectoryThatIsRenamedBesideTheObservedOneIsTold() {
    var reading = Reading()
    let parent = reading.mark(2, for: .departures)
    reading.rename((2, "other"), (2, "root"), file: 7, isDirectory: true)
    #expect(reading.hints == [Hint(directory: parent, kinds: [.movedTo, .directory], name: FileName("root"))])
  }

  /// Its parent's mark tells of it before it has one of its own.
  @Test func aChangeOfADirectoryThatIsNotKnownYetIsRemembered() {
    var reading = Reading()
    _ = reading.mark(1)
    reading.tell([.attribute, .onDirectory], 5, ".")
    #expect(reading.batch.isEmpty)
    let taken = [5, 5, 6].map { reading.translator.directories.takeChange(of: reading.handle($0).handle) }
    #expect(taken == [true, false, false])
  }
}

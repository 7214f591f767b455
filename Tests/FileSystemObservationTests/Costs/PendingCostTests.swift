import FileEvents
import FileIdentity
import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What is decided about one file or folder costs the same however many others wait to be decided about.
@Suite(.serialized) struct PendingCostTests {
  static let now = MonotonicTime(nanoseconds: 1_000_000_000)
  private static let count = 1_000

  /// What a classifier knows of as many entries in the observed folder as are asked for.
  private struct Books: ~Copyable {
    var classifier: Classifier
    let folder = NodeID.root
    var entries: [NodeID] = []

    init(_ count: Int, _ kind: FileKind) {
      let root = FileKey(device: 1, inode: 1, born: 1 << 40)
      classifier = Classifier(graph: FileGraph(root: root, uuid: UUIDBits(high: 0, low: 1), seed: 1))
      classifier.now = PendingCostTests.now
      for number in 0..<count { entries.append(add("entry\(number)", UInt64(number) + 10, kind)) }
    }

    mutating func add(_ name: String, _ number: UInt64, _ kind: FileKind) -> NodeID {
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 0, low: number), key: FileKey(device: 1, inode: number, born: 1 << 40), kind: kind,
        modified: 0, size: 0)
      return classifier.graph.insert(content, named: FileName(name).span, in: folder)
    }

    func place(_ number: Int, _ prefix: String) -> Place { Place(parent: folder, name: FileName("\(prefix)\(number)")) }

    private mutating func follow(_ kinds: HintKinds, _ place: Place, cookie: UInt32 = 0) {
      let hint = Hint(directory: MarkID(rawValue: 1), kinds: kinds, cookie: cookie, name: place.name)
      classifier.follow(hint, at: place)
    }

    mutating func makeAndRemove(_ number: Int) {
      let (now, place, other) = (PendingCostTests.now, place(number, "op"), place(number, "renamed"))
      let status = FileStatus(
        device: 1, inode: UInt64(5_000_000 + number), born: 1 << 40, kind: .file, size: 0, modified: 0, changed: 0)
      let entry = Entry(status, tag: .none, fileSystem: 1, isRecent: true)
      classifier.now = now
      follow(.created, place)
      follow(.closed, place)
      classifier.observe(Look(place: place, entry: entry, cause: .hint(.created)))
      classifier.now = now + 1_000_000_000
      classifier.finish(place, entry, .nobodyWrites, isVerified: true)
      classifier.now = now
      follow(.movedFrom, place, cookie: 7)
      follow(.movedTo, other, cookie: 7)
      follow(.removed, other)
      classifier.now = now + 2_000_000
      classifier.advance()
      _ = classifier.takeRequests()
      _ = classifier.takePlacesToInspect()
      _ = classifier.takeChanges()
    }

    /// Files that the kernel has told of, and nothing more is known of.
    mutating func addArrivals(_ count: Int, _ prefix: String) {
      for number in 0..<count {
        classifier.put(Arrival(at: PendingCostTests.now, nextCheck: PendingCostTests.now), at: place(number, prefix))
      }
    }
  }

  /// A file is made, finished, renamed, and removed.
  @Test func anOperationCostsTheSameHoweverManyFilesAreUnfinished() {
    let growth = Growth.besideFourfold(5_000) { count in
      var books = Books(count, .file)
      books.addArrivals(count, "new")
      for id in books.entries { books.classifier.noteActivity(of: id, kinds: .written) }
      return books
    } _: { books in
      for number in 0..<3_000 { books.makeAndRemove(number) }
    }
    #expect(growth < Growth.none)
  }

  @Test func aFolderThatEndsCostsWhatIsInIt() {
    let growth = Growth.ofFourfold(Self.count) { count in
      var books = Books(count, .directory)
      books.addArrivals(count, "new")
      for id in books.entries { books.classifier.delete(id, reason: .removed) }
      #expect(books.classifier.arrivals.count == count)
    }
    #expect(growth < Growth.linear)
  }

  @Test func anEmptyFileIsNoPlaceholderWhateverElseIsUnfinished() {
    let growth = Growth.ofFourfold(Self.count) { count in
      var books = Books(count, .file)
      books.addArrivals(count, "new")
      for id in books.entries { books.classifier.noteActivity(of: id, kinds: .written) }
      let progress = WriteActivity(now: Self.now, size: 0, modified: 0, nextCheck: Self.now)
      for number in 0..<count {
        let verdict = books.classifier.verdict(on: progress, at: books.place(number, "new"), .nobodyWrites)
        #expect(verdict == .wait(until: Self.now + books.classifier.timing.quiet))
      }
    }
    #expect(growth < Growth.linear)
  }

  @Test func whetherADocumentIsAboutToBeSavedIsKnownAtOnce() {
    let growth = Growth.ofFourfold(Self.count) { count in
      var books = Books(count, .file)
      for id in books.entries { books.classifier.noteActivity(of: id, kinds: .written) }
      for id in books.entries {
        let isAboutTo = books.classifier.mayBeAboutToBeSaved(id)
        #expect(!isAboutTo)
      }
    }
    #expect(growth < Growth.linear)
  }

  @Test func aSaveIsComparedWithNoneButThoseOfItsInode() throws {
    let growth = Growth.ofFourfold(Self.count) { count in
      var books = Books(count, .file)
      for (number, id) in books.entries.enumerated() {
        var progress = WriteActivity(now: Self.now, size: 0, modified: 0, nextCheck: Self.now)
        progress.isSave = true
        progress.former = FileKey(device: 1, inode: UInt64(1_000_000 + number), born: 1 << 40)
        books.classifier.beginWriting(id, progress)
      }
      for id in books.entries {
        let other = books.classifier.writing.document(savedFrom: books.classifier.graph.key(id))
        #expect(other == nil)
      }
    }
    #expect(growth < Growth.linear)
  }
}

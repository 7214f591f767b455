import FileIdentity
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// With the tree of an earlier run, the tags of what has not changed are not read.
@Suite(.light) struct KnownTagsTests {
  /// Knows the tag of one name, and takes in what is shown.
  private struct Visitor: EntryVisitor {
    let name: String
    let tag: UUIDBits
    var presumesNoTagBefore: Int64? { nil }
    private(set) var shown: [String: TagReading] = [:]

    init(_ name: String, _ tag: UUIDBits) {
      self.name = name
      self.tag = tag
    }

    var knownTag: KnownTag? {
      { [name, tag] in FileName($0).description == name && $1.size == 4 ? tag : nil }
    }

    func wants(_ name: NameView, _ kind: ListedKind) -> Bool { true }

    mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits? {
      shown[FileName(name).description] = tag
      return nil
    }

    func noteTag(of name: NameView, _ claim: TagClaim) {}
  }

  @Test(.enabled(if: Ability.tags.isPossible)) func aKnownTagIsNotReadAndTheOthersAre() throws {
    let folder = try TestFolder("known")
    let onDisk = UUIDBits(high: 1, low: 1)
    for name in ["known", "other", "without"] { try folder.watched.write(name, "text") }
    for name in ["known", "other"] { try folder.watched.setAttribute(tagName, of: name, to: "\(onDisk)") }
    let files = HostFileSystem(tag: FileTag())
    var visitor = Visitor("known", UUIDBits(high: 2, low: 2))
    let directory = try files.reopenForListing(files.openRoot(at: FilePath(folder.watched.path)))
    try files.visitEntries(of: directory, &visitor)
    #expect(visitor.shown["known"] == .uuid(UUIDBits(high: 2, low: 2)))
    #expect(visitor.shown["other"] == .uuid(onDisk) && visitor.shown["without"] == TagReading.none)
  }

  /// A tree with one tagged file.
  private func known(_ adjust: (inout FileGraph.Content) -> Void = { _ in }) -> KnownTags {
    var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 100), uuid: UUIDBits(high: 0, low: 1))
    var content = FileGraph.Content(
      uuid: UUIDBits(high: 0, low: 2), key: FileKey(device: 1, inode: 2, born: 100), kind: .file, modified: 5, size: 4,
      flags: .tagged)
    adjust(&content)
    graph.insert(content, named: FileName("letter").span, in: .root)
    return KnownTags(graph, storedAt: 10_000_000_000)
  }

  private func tag(_ known: KnownTags, _ name: String = "letter", _ adjust: (inout FileStatus) -> Void = { _ in })
    -> UUIDBits?
  {
    var status = FileStatus(device: 1, inode: 2, born: 100, kind: .file, size: 4, modified: 5, changed: 6)
    adjust(&status)
    return FileName(name).withView { known.tag(of: $0, in: .root, status) }
  }

  @Test func aTagIsKnownWhereNothingHasChanged() {
    #expect(tag(known()) == UUIDBits(high: 0, low: 2))
    #expect(tag(known(), "other") == nil)
    #expect(tag(known()) { $0.changed = 9_000_000_000 } == nil)
    #expect(tag(known()) { $0.inode = 3 } == nil)
    #expect(tag(known()) { $0.born = 101 } == nil)
    #expect(tag(known()) { $0.device = 2 } == nil)
    #expect(tag(known()) { $0.modified = 4 } == nil)
    #expect(tag(known()) { $0.size = 5 } == nil)
    #expect(tag(known()) { $0.linkCount = 2 } == nil)
    #expect(tag(known()) { $0.kind = .directory } == nil)
    #expect(tag(known { $0.flags = [] }) == nil)
    #expect(tag(known { $0.flags = [.tagged, .copying] }) == nil)
  }
}

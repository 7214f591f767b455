import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Ways in which a file can go, on real files: its bookmark finds it, or refuses to.
@Suite(.light, .enabled(if: Ability.tags.isPossible && Ability.exchange.isPossible && Ability.hardLinks.isPossible))
struct BookmarkWaysTests {
  private func check(_ way: BookmarkWay) throws {
    let scene = try BookmarkScene(of: way.file, writingTag: way.isTagged, prepare: way.prepare)
    try way.act(scene.folder)
    let found = scene.resolve(in: way.places)
    #expect(found == way.expected, "\(way.name)")
    try checkRenewed(scene, way)
    guard HandleAbility.isPossible else { return }
    let foundByHandle = scene.resolve(in: way.places, usesHandles: true)
    #expect(foundByHandle == way.expectedWithHandles ?? way.expected, "\(way.name), with handles")
  }

  /// The renewed bookmark leads to the same file, and is not stale.
  private func checkRenewed(_ scene: BookmarkScene, _ way: BookmarkWay) throws {
    let places = way.places.map { FileBookmark.Place.folder(FilePath(scene.folder[$0])) }
    guard let first = try? scene.resolution(in: places) else { return }
    #expect(first.isStale == (first.bookmark != scene.bookmark), "\(way.name)")
    let again = try BookmarkSearch(first.bookmark, usesHandles: false).resolve(in: [])
    #expect(again.path == first.path && !again.isStale, "\(way.name)")
    #expect(again.evidence.contains(.inode), "\(way.name)")
  }

  @Test(arguments: BookmarkWay.moves) func names(_ way: BookmarkWay) throws { try check(way) }
  @Test(arguments: BookmarkWay.saves) func saves(_ way: BookmarkWay) throws { try check(way) }
  @Test(arguments: BookmarkWay.copies) func copies(_ way: BookmarkWay) throws { try check(way) }
  @Test(arguments: BookmarkWay.tags) func tags(_ way: BookmarkWay) throws { try check(way) }
  @Test(arguments: BookmarkWay.others) func others(_ way: BookmarkWay) throws { try check(way) }

  /// ext4 gives the number of a removed file to the next new one.
  @Test(arguments: [true, false]) func aReusedInodeNumberIsNoEvidence(isTagged: Bool) throws {
    let scene = try BookmarkScene(writingTag: isTagged)
    let number = try scene.folder.status(BookmarkScene.file).inode
    try scene.folder.unlink(BookmarkScene.file)
    var isReused = false
    for index in 0..<200 where !isReused {
      try scene.folder.write("other/new\(index).txt")
      isReused = try scene.folder.status("other/new\(index).txt").inode == number
    }
    if !isReused { try Test.cancel("the file system has not reused the number") }
    for usesHandles in [true, false] { #expect(scene.resolve(usesHandles: usesHandles) == .notFound) }
  }

  @Test func theUUIDStaysThatOfTheDocument() throws {
    let tagged = try BookmarkScene()
    try tagged.folder.setTag(BookmarkScene.file, UUID())
    #expect(try tagged.resolution(in: []).bookmark.uuid == tagged.bookmark.uuid)
    let untagged = try BookmarkScene(writingTag: false)
    let given = UUID()
    try untagged.folder.setTag(BookmarkScene.file, given)
    let resolution = try untagged.resolution(in: [])
    #expect(resolution.bookmark.uuid == given && resolution.bookmark.identity == .tag && resolution.isStale)
  }

  @Test func anAppWithATagOfItsOwn() throws {
    let scene = try BookmarkScene(tagName: "user.app.uuid")
    #expect(try scene.folder.tag(BookmarkScene.file) == nil)
    try scene.folder.copy(BookmarkScene.file, "other/copy.txt")
    try scene.folder.unlink(BookmarkScene.file)
    #expect(scene.resolve() == .at("other/copy.txt", [.tag]))
    #expect(FileBookmark("\(scene.bookmark)")?.tagName == "user.app.uuid")
  }

  @Test func nothingIsWrittenBySearching() async throws {
    let scene = try BookmarkScene(writingTag: false)
    try scene.folder.rename(BookmarkScene.file, "other/letter.txt")
    let resolution = try await scene.bookmark.resolve(in: [.folder(FilePath(scene.folder.path))])
    #expect(scene.relative(resolution.path) == "other/letter.txt")
    #expect(try scene.folder.tag("other/letter.txt") == nil)
    #expect(try scene.folder.tag("other/older.txt") == nil)
  }

  @Test func aCancelledSearchEnds() async throws {
    let scene = try BookmarkScene()
    try scene.folder.unlink(BookmarkScene.file)
    let (bookmark, place) = (scene.bookmark, FilePath(scene.folder.path))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await bookmark.resolve(in: [.folder(place)])
    }
    let result = await task.result
    #expect(throws: FileBookmarkError.cancelled) { try result.get() }
  }

  @Test func whatCannotBeSearchedIsNamed() throws {
    let scene = try BookmarkScene()
    try scene.folder.unlink(BookmarkScene.file)
    let missing = FilePath(scene.folder["missing"])
    let error = #expect(throws: FileBookmarkError.self) { try scene.resolution(in: [.folder(missing)]) }
    #expect(error?.code == .notFound && error?.message.contains("missing could not be searched") == true)
    #expect(error?.path == scene.bookmark.lastKnownPath)
  }
}

/// Whether this process may open files by their handles.
enum HandleAbility {
  static let isPossible: Bool = {
    guard let scene = try? BookmarkScene(), (try? scene.folder.rename(BookmarkScene.file, "home/x")) != nil else {
      return false
    }
    return scene.resolve(in: [], usesHandles: true) == .at("home/x", [.tag, .inode])
  }()
}

import FileSystemObservation
import FoundationEssentials

/// A program that follows one document among ten thousand files.
///
///     swift run OneDocument FOLDER
@main struct OneDocument {
  static func main() async throws {
    let folder = try makeFiles()
    let document = folder.appending("50/50.txt")
    let observer = FileSystemObserver(directory: folder)
    // With `.now`, all changes wait for whoever begins to iterate later; else it would begin with the state by then.
    let everything = observer.events(startingWith: .now)
    try await observer.start()
    let uuid = try await scannedUUID(of: document, observer)
    var follower = Follower(observer, uuid)
    try await follower.awaitState(at: document)
    let others = Others(in: folder)
    try await follow(&follower, document, others, in: folder)
    // What the document's listener has not been told by then comes before the end.
    try await others.awaitAll(in: everything)
    await observer.stop()
    try await follower.awaitEnd()
  }

  /// The document's UUID, when all files are known.
  private static func scannedUUID(of document: FilePath, _ observer: FileSystemObserver) async throws -> UUID {
    for try await _ in observer.events() where observer.snapshot().count == fileCount + folderCount {
      guard let item = observer[document] else { break }
      return item.uuid
    }
    fail("the scan has not found \(document)")
  }

  /// Each thing that happens to the document is told once, whatever happens to others before and after it.
  private static func follow(
    _ follower: inout Follower, _ document: FilePath, _ others: Others, in folder: FilePath
  ) async throws {
    let renamed = folder.appending("50/report.txt")
    try others.change { try rename(document, to: renamed) }
    try await follower.await(.renamed, at: renamed)
    let moved = folder.appending("51/report.txt")
    try others.change { try rename(renamed, to: moved) }
    try await follower.await(.moved, at: moved)
    try others.change { try replace(moved, with: "saved by replacement") }
    try await follower.await(.modified, at: moved)
    try await followToEnd(&follower, others, in: folder)
  }

  /// The folder gets another name, and the document another path; then it is deleted.
  private static func followToEnd(_ follower: inout Follower, _ others: Others, in folder: FilePath) async throws {
    let carried = folder.appending("fifty-one/report.txt")
    try others.change { try rename(folder.appending("51"), to: folder.appending("fifty-one")) }
    try await follower.await(.moved, at: carried)
    try others.change { try remove(carried) }
    try await follower.await(.deleted, at: carried)
  }
}

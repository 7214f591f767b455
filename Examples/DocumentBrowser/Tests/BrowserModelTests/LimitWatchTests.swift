import BrowserModel
import FileSystemObservation
import Foundation
import SystemPackage
import Testing

@MainActor @Suite struct LimitWatchTests {
  private let watch = LimitWatch()

  private func take(
    _ code: FileSystemObserver.Diagnostic.Code, _ errno: Errno? = nil, limit: FileSystemObserver.Diagnostic.Limit? = nil
  ) {
    watch.take(
      .diagnostic(
        FileSystemObserver.Diagnostic(
          code: code, message: "a message", path: "/home/me/Documents/Inbox", errno: errno, limit: limit)))
  }

  private let watches = FileSystemObserver.Diagnostic.Limit(
    name: "fs.inotify.max_user_watches", value: 100, suggestedValue: 1000,
    command: "sudo sysctl fs.inotify.max_user_watches=1000")

  @Test func saysWhatToDo() {
    take(.limitReached, limit: watches)
    #expect(watch.current?.command == "sudo sysctl fs.inotify.max_user_watches=1000")
    #expect(watch.current?.advice.contains("1000") == true)
  }

  @Test func theGravestIsShown() {
    take(.unreadableFolder, .permissionDenied)
    #expect(watch.current?.kind == .unreadableFolders)
    take(.tagNotWritten, .notSupported)
    #expect(watch.current?.kind == .noTags)
    take(.limitReached, limit: watches)
    #expect(watch.current?.kind == .noTags)
  }

  @Test func whatIsDismissedIsNotShownAgain() throws {
    take(.tagNotWritten, .notSupported)
    take(.limitReached, limit: watches)
    watch.dismiss(try #require(watch.current))
    #expect(watch.current?.kind == .watches)
    take(.tagNotWritten, .notSupported)
    #expect(watch.current?.kind == .watches)
  }

  @Test func nothingIsShownThatAPersonNeedNotKnow() {
    take(.tagRestored)
    take(.directoryLoop)
    #expect(watch.current == nil)
  }

  @Test func theWayBackEndsTheLoss() {
    take(.rootLost)
    #expect(watch.current?.kind == .folderLost)
    watch.take(.rootMoved(from: "/home/me/Documents", to: "/home/me/Papers"))
    #expect(watch.current == nil)
  }

  @Test(arguments: [
    (Errno.readOnlyFileSystem, "This folder is read-only"), (.noSpace, "The disk is full"),
    (.notSupported, "This disk cannot keep who is who"),
    (.permissionDenied, "“Inbox” and perhaps others belong to somebody else, or are read-only"),
  ])
  func saysWhyThereAreNoTags(_ errno: Errno, _ title: String) {
    take(.tagNotWritten, errno)
    #expect(watch.current?.title == title)
  }

  @Test func aScanTellsOfItemsWithoutTags() {
    watch.take(.didCompleteFullScan(FileSystemObserver.ScanSummary(itemCount: 3, skipped: [.readOnly: 3])))
    #expect(watch.current?.title == "This folder is read-only")
  }

  @Test func aDiskWithoutAttributesIsNotTakenForSymbolicLinks() {
    watch.take(.didCompleteFullScan(FileSystemObserver.ScanSummary(itemCount: 3, skipped: [.tagNotSupported: 1])))
    #expect(watch.current == nil)
    watch.take(.didCompleteFullScan(FileSystemObserver.ScanSummary(itemCount: 3, skipped: [.tagNotSupported: 3])))
    #expect(watch.current?.title == "This disk cannot keep who is who")
  }

  @Test func aNetworkFolderIsTold() throws {
    let scratch = try Scratch()
    let examination = try FileSystemObserver.examine(scratch.folder)
    watch.take(examination)
    #expect(watch.current == nil)
    // The same, as if it were on another machine.
    let text = String(decoding: try JSONEncoder().encode(examination), as: UTF8.self)
    let source = try #require(examination.mounts.first).source.rawValue
    let remote = text.replacingOccurrences(of: "\"source\":\"\(source)\"", with: "\"source\":\"polling\"")
    watch.take(try JSONDecoder().decode(FileSystemObserver.Examination.self, from: Data(remote.utf8)))
    #expect(watch.current?.kind == .networkFolder)
    #expect(watch.current?.advice.isEmpty == false)
  }

  @Test func whatCannotBeKeptStaysInAnotherFolder() {
    watch.add(Limit(.notKept, title: "Nothing can be kept", advice: "Make room"))
    take(.rootLost)
    watch.removeAll()
    #expect(watch.current?.kind == .notKept)
  }

  @Test func tellsItsListenerOnce() {
    var count = 0
    watch.onChange = { count += 1 }
    take(.tagNotWritten, .notSupported)
    take(.tagNotWritten, .notSupported)
    watch.removeAll()
    #expect(count == 2)
  }
}

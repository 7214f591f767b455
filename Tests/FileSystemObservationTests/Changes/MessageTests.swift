import FileIdentity
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Messages go to the app's log: no file name in one forges a line or commands a terminal, and `path` has the name as
/// it is.
@Suite(.light) struct MessageTests {
  private static let name = "a\nb\u{1b}[2J\u{85}\u{2028}\u{202e}\u{200f}\\"
  private static let escaped = #"a\nb\u{1B}[2J\u{0085}\u{2028}\u{202E}\u{200F}\\"#

  private func expectEscaped(
    _ error: FileSystemObserverError, _ path: FilePath?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error.message.contains(Self.escaped), sourceLocation: sourceLocation)
    #expect(error.message == error.message.escapingControls, sourceLocation: sourceLocation)
    #expect(error.path == path, sourceLocation: sourceLocation)
  }

  @Test func whatIsInterpolatedIsEscaped() {
    let path = FilePath("/d").appending(Self.name)
    let message: Message = "\(path) and " + "\("x\ny") and \(Errno.noSpace), \(3)"
    #expect(message.text == #"/d/\#(Self.escaped) and x\ny and No space left on device, 3"#)
    // A sentence made of sentences is not escaped twice.
    #expect(("\(message)" as Message).text == message.text)
  }

  @Test(arguments: [Errno.noSuchFileOrDirectory, .notDirectory, .permissionDenied, .ioError])
  func theFolderThatCannotBeOpened(_ errno: Errno) {
    let path = FilePath("/").appending(Self.name)
    expectEscaped(FileSystemObserverError(opening: path, errno), path)
  }

  @Test func whatAnAppAsksFor() throws {
    let observer = FileSystemObserver(directory: FilePath("/"))
    observer.excludedItems = [#"[\#(Self.name)"#]
    let error = try #require(throws: FileSystemObserverError.self) { try observer.start() }
    #expect(error.message == error.message.escapingControls && error.code == .invalidArgument)
  }

  @Test func documentsThatCannotBeReplacedOrCopied() throws {
    let folder = try TestFolder()
    let path = FilePath(folder.watched[Self.name])
    let operations = DocumentOperations(tag: FileTag())
    let missing = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: path, with: [], uuid: nil)
    }
    expectEscaped(try #require(missing), path)
    try folder.watched.mkdir(Self.name)
    let noFile = #expect(throws: FileSystemObserverError.self) {
      _ = try operations.duplicateItem(at: path, to: FilePath(folder.watched["copy"]))
    }
    expectEscaped(try #require(noFile), path)
  }

  @Test func theItemWhoseTagAnotherProgramTookAway() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write(Self.name) }
    try observed.root.removeTag(Self.name)
    try await observed.recorder.await("a diagnostic") { [path = observed.root[Self.name]] notification in
      guard case .diagnostic(let diagnostic) = notification, diagnostic.code == .tagRestored else { return false }
      #expect(diagnostic.message.contains(Self.escaped))
      return diagnostic.path?.string == path
    }
  }
}

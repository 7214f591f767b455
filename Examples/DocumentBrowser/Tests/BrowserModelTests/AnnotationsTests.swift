import BrowserModel
import FileSystemObservation
import Foundation
import SystemPackage
import Testing

@MainActor @Suite struct AnnotationsTests {
  private let stage = Stage()
  private let scratch: Scratch
  private var file: FilePath { scratch.path("annotations.sqlite") }
  private let annotation = Annotation(isFavourite: true, label: .red, note: "Read this")

  init() throws { scratch = try Scratch() }

  private func duplicated(_ copy: String, of original: String) -> FileSystemChange {
    stage.change(
      .duplicated(of: FileSystemChange.Original(uuid: stage.uuid(original), path: stage.path(original))), copy)
  }

  @Test func staysBetweenRuns() throws {
    let uuid = stage.uuid("a")
    try Annotations(at: file).set(annotation, for: uuid)
    #expect(try Annotations(at: file)[uuid] == annotation)
    try Annotations(at: file).set(Annotation(), for: uuid)
    #expect(try Annotations(at: file)[uuid] == Annotation())
    #expect(try Annotations(at: file).annotated.isEmpty)
  }

  @Test func aCopyGetsLabelAndNote() throws {
    let state = try BrowserState(in: scratch.folder)
    let annotations = state.annotations
    try annotations.set(annotation, for: stage.uuid("a"))
    var changed: [Set<UUID>] = []
    annotations.onChange = { changed.append($0) }
    annotations.apply(stage.set([duplicated("b", of: "a"), duplicated("c", of: "b"), duplicated("d", of: "e")]))
    let copy = Annotation(label: .red, note: "Read this")
    #expect(annotations[stage.uuid("b")] == copy && annotations[stage.uuid("c")] == copy)
    #expect(annotations[stage.uuid("d")] == Annotation())
    #expect(changed == [[stage.uuid("b"), stage.uuid("c")]])
    state.close()
    #expect(try BrowserState(in: scratch.folder).annotations[stage.uuid("b")] == copy)
  }

  @Test func aCopyKeepsItsOwn() throws {
    let annotations = try Annotations(at: file)
    try annotations.set(annotation, for: stage.uuid("a"))
    try annotations.set(Annotation(label: .blue), for: stage.uuid("b"))
    annotations.apply(stage.set([duplicated("b", of: "a")]))
    #expect(annotations[stage.uuid("b")] == Annotation(label: .blue))
  }

  /// Another program has copied the document, and removed the original: the original goes on in the copy.
  @Test func whatWasNotedOfACopyGoesToTheOriginalInItsPlace() throws {
    let first = try Annotations(at: file)
    first.apply(stage.set([duplicated("b", of: "a")]))
    try first.set(annotation, for: stage.uuid("b"))
    // It is a copy after a restart, too.
    let annotations = try Annotations(at: file)
    annotations.apply(
      stage.set([
        stage.change(.deleted(.replaced), "b"), stage.change(.renamed(from: stage.path("a")), "b", "a"),
      ]))
    #expect(annotations[stage.uuid("a")] == annotation && annotations[stage.uuid("b")] == Annotation())
  }

  @Test func whatCannotBeWrittenIsWrittenLater() throws {
    let annotations = try Annotations(at: file)
    try annotations.set(annotation, for: stage.uuid("a"))
    let lock = try DatabaseLock(file)
    annotations.apply(stage.set([duplicated("b", of: "a")]))
    // Waits for the write before it, which fails, too.
    #expect(throws: BrowserStateError.self) { try annotations.set(annotation, for: stage.uuid("x")) }
    #expect(annotations[stage.uuid("b")].label == .red && annotations[stage.uuid("x")] == Annotation())
    try lock.release()
    annotations.apply(stage.set([duplicated("c", of: "a")]))
    try annotations.set(annotation, for: stage.uuid("y"))
    let next = try Annotations(at: file)
    #expect(Set(next.annotated) == Set(["a", "b", "c", "y"].map(stage.uuid)))
  }

  @Test func staysForAYearAfterADeletion() throws {
    let annotations = try Annotations(at: file)
    try annotations.set(annotation, for: stage.uuid("a"))
    annotations.apply(stage.set([stage.change(.deleted(.trashed), "a")]))
    let month: TimeInterval = 30 * 24 * 3600
    try annotations.prune(at: .now + 11 * month)
    #expect(annotations[stage.uuid("a")] == annotation)
    try annotations.prune(at: .now + 13 * month)
    #expect(annotations[stage.uuid("a")] == Annotation())
    #expect(try Annotations(at: file).annotated.isEmpty)
  }

  @Test func whatIsBackIsNotForgotten() throws {
    let annotations = try Annotations(at: file)
    try annotations.set(annotation, for: stage.uuid("a"))
    annotations.apply(stage.set([stage.change(.deleted(.trashed), "a")]))
    annotations.apply(stage.set([stage.change(.returned, "a")]))
    try annotations.prune(at: .distantFuture)
    #expect(annotations[stage.uuid("a")] == annotation)
  }

  @Test func nothingChangesIfNothingCanBeWritten() throws {
    let state = try BrowserState(in: scratch.folder)
    state.close()
    #expect(throws: BrowserStateError.self) { try state.annotations.set(annotation, for: stage.uuid("a")) }
    #expect(state.annotations[stage.uuid("a")] == Annotation())
  }
}

/// Another program that writes to a database, and does not end.
private final class DatabaseLock {
  private let process = Process()
  private let input = Pipe()

  /// Returns when nobody else can write.
  init(_ path: FilePath) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.execute("BEGIN IMMEDIATE")
      print("locked", flush=True)
      sys.stdin.read()
      """, path.string,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(try output.fileHandleForReading.read(upToCount: 7) == Data("locked\n".utf8))
  }

  func release() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

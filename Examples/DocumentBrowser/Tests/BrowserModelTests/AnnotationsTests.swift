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

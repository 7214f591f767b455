import BrowserModel
import FileSystemObservation
import Foundation
import SystemPackage
import Testing

/// Runs of the app without a window, on real files.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FolderFollowerTests {
  private let scratch: Scratch
  private var documents: FilePath { scratch.path("documents") }

  init() throws {
    scratch = try Scratch()
    try scratch.makeFolder("documents/Letters")
    try scratch.write("one", to: "documents/draft.txt")
    try scratch.write("two", to: "documents/plan.txt")
  }

  /// A run of the app, from its start to its end.
  private func run(
    at path: String = "documents", _ body: (AppRun) async throws -> Void = { _ in }
  ) async throws -> AppRun {
    let run = try AppRun(state: scratch.path("state"), folder: scratch.path(path))
    try await run.start()
    try await body(run)
    await run.stop()
    return run
  }

  @Test func tellsWhatHappens() async throws {
    let run = try await run { run in
      #expect(run.sentences == [])
      try scratch.move("documents/draft.txt", "documents/report.txt")
      try await run.waitFor { $0 == ["report.txt was renamed from draft.txt by another program"] }
    }
    #expect(run.activity.whileAway.isEmpty)
  }

  @Test func tellsWhatHappenedWhileItWasAway() async throws {
    _ = try await run { run in
      try scratch.move("documents/draft.txt", "documents/report.txt")
      try await run.waitFor { $0.count == 1 }
    }
    try scratch.move("documents/plan.txt", "documents/Letters/plan.txt")
    let second = try await run { run in
      try await run.waitFor { $0 == ["plan.txt was moved from documents to Letters"] }
      try scratch.move("documents/report.txt", "documents/final.txt")
      try await run.waitFor { $0.first == "final.txt was renamed from report.txt by another program" }
    }
    #expect(second.activity.whileAway.map(\.title) == ["plan.txt"])
    let third = try await run()
    #expect(third.sentences == [])
  }

  @Test func nothingIsToldTwiceAfterTheFolderWasRenamed() async throws {
    _ = try await run()
    try scratch.move("documents", "papers")
    try scratch.move("papers/draft.txt", "papers/report.txt")
    let second = try await run(at: "papers") { run in
      try await run.waitFor { $0 == ["report.txt was renamed from draft.txt"] }
    }
    #expect(second.activity.whileAway.count == 1)
  }

  @Test func annotationsFollowTheirDocuments() async throws {
    let annotation = Annotation(isFavourite: true, label: .purple, note: "Read this")
    _ = try await run { run in
      let uuid = try #require(run.observer[documents.appending("draft.txt")]).uuid
      try run.state.annotations.set(annotation, for: uuid)
      // With its tag, as cp -a does.
      try run.copyWithTag("draft.txt", "copy.txt", in: documents)
      try await run.waitFor { $0 == ["copy.txt is a copy of draft.txt"] }
      let copy = try #require(run.observer[documents.appending("copy.txt")])
      #expect(run.state.annotations[copy.uuid] == Annotation(label: .purple, note: "Read this"))
    }
    try scratch.move("documents/draft.txt", "documents/Letters/report.txt")
    _ = try await run { run in
      let item = try #require(run.observer[documents.appending("Letters/report.txt")])
      #expect(run.state.annotations[item.uuid] == annotation)
      let copy = try #require(run.observer[documents.appending("copy.txt")])
      #expect(run.state.annotations[copy.uuid].label == .purple)
    }
  }
}

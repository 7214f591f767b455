import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// Names that say something about a file.
@Suite(.light, .undisturbed) struct NamePatternsTests {
  private func begin(
    _ prepare: (TestFolder) throws -> Void = { _ in }, _ change: (inout FileSystemObserver.NamePatterns) -> Void
  ) async throws -> ObservedFolder {
    var options = FileSystemObserver.Configuration()
    change(&options.namePatterns)
    let folder = try TestFolder()
    try prepare(folder)
    let observed = ObservedFolder(folder, options: options)
    try await observed.start()
    return observed
  }

  @Test func aBackupNameOfOnesOwn() async throws {
    let observed = try await begin({ try $0.watched.write("doc.txt", "old") }) { $0.backups = ["before *"] }
    let told = ["modified doc.txt", "duplicated doc.txt => before doc.txt", "copyFinished before doc.txt"]
    try await observed.saysExactly(told, order: .any) {
      try $0.rename("doc.txt", "before doc.txt")
      try $0.write("doc.txt", "new")
    }
    try await observed.saysExactly(["renamed doc.txt -> doc.txt~"]) { try $0.rename("doc.txt", "doc.txt~") }
  }

  @Test(arguments: [
    ("report.txt", "report.txt~", true), ("report.txt", "report.bak", true), ("report.txt", "report.txt.bak", true),
    ("report.txt", "#report.txt#", true), ("report.txt", "report.txt.~12~", true), ("report.txt", "other.bak", false),
    ("report.txt", "report.txt.2024.bak", true), ("report.txt", "report.txtQb3xYz.bck", true),
    ("report.txt", "report2.txt.bak", false), ("report.txt", "report.txt.12", false), ("report.txt", "~", false),
    ("photo.jpg", "photo.jpg_original", true),
  ])
  func theDefaultBackupNames(_ name: String, _ backup: String, _ isOne: Bool) async throws {
    let observed = try await begin({ try $0.watched.write(name, "old") }) { _ in }
    let told =
      isOne ? ["modified \(name)"] : ["renamed \(name) -> \(backup)", "discovered \(name)", "copyFinished \(name)"]
    let further = isOne ? ["duplicated \(name) => \(backup)", "copyFinished \(backup)"] : []
    try await observed.saysExactly(told + further, order: .any) {
      try $0.rename(name, backup)
      try $0.write(name, "new")
    }
  }

  @Test func aTransientNameIsNotToldAtOnce() async throws {
    let observed = try await begin({ try $0.watched.write("doc.txt", "old") }) { $0.transients = ["*.moment"] }
    let told = ["discovered other.txt", "copyFinished other.txt", "modified doc.txt"]
    try await observed.saysExactly(told) { root in
      let mark = observed.recorder.position
      try root.write("a.moment", "new")
      try root.write("other.txt")
      try await observed.recorder.awaitChange("a later file", from: mark) { $0.kind == .copyFinished }
      try root.rename("a.moment", "doc.txt")
    }
  }

  @Test(arguments: ["", "bak", "*", "**", "*/x", "a*b*c"])
  func aMalformedPatternIsAnError(_ pattern: String) async throws {
    var options = FileSystemObserver.Configuration()
    options.namePatterns.partials.append(pattern)
    let observed = ObservedFolder(try TestFolder(), options: options)
    let error = await #expect(throws: FileSystemObserverError.self) { try await observed.start() }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("\"\(pattern)\" in partials") == true)
  }
}

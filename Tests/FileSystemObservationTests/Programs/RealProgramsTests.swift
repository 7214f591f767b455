import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

/// The programs themselves, not what was recorded of them: a document that they save ten times keeps its identity.
///
/// Not below /tmp, where editors save differently.
@Suite(.busy, .undisturbed) struct RealProgramsTests {
  private static let saves = 10

  @Test(arguments: SavingProgram.all) func aDocumentKeepsItsIdentity(_ program: SavingProgram) async throws {
    if !program.missing.isEmpty {
      try Test.cancel("not installed: \(program.missing.joined(separator: ", "))")
    }
    let folder = try TestFolder()
    try folder.watched.write("doc.txt", "first version\n")
    try await run(program.prepare, in: folder)
    let observed = ObservedFolder(folder)
    try await observed.start()
    let document = try observed.uuid(program.document)
    for number in 1...Self.saves {
      try folder.outside.write("doc.txt", "line \(number) of what is saved\n")
      let mark = observed.recorder.position
      try await run("N=\(number); \(program.save)", in: folder)
      try await observed.settle()
      let told = observed.changes(from: mark).filter { $0.uuid == document }
      #expect(told.map(\.kind) == [.modified], "save \(number): \(observed.said(from: mark))")
      #expect(try observed.uuid(program.document) == document, "save \(number)")
    }
    try await observed.expectAgreement()
  }

  /// What saves a whole folder of documents at once.
  @Test(arguments: SavingProgram.ofFolders) func manyDocumentsKeepTheirIdentities(_ program: SavingProgram) async throws
  {
    if !program.missing.isEmpty {
      try Test.cancel("not installed: \(program.missing.joined(separator: ", "))")
    }
    let folder = try TestFolder()
    for name in Self.documents { try folder.watched.makeAndWrite(name, "first version of \(name)\n") }
    try await run(program.prepare, in: folder)
    let observed = ObservedFolder(folder)
    try await observed.start()
    let before = try Self.documents.map { try observed.uuid($0) }
    for number in 1...Self.saves {
      for name in Self.documents { try folder.outside.makeAndWrite(name, "line \(number) of \(name)\n") }
      let mark = observed.recorder.position
      let start = Moment.now
      try await run("N=\(number); \(program.save)", in: folder)
      // Some remove a document before they write it anew: where that took as long as a name may be gone, it was
      // removed.
      StallWatch.shared.note(.now - start)
      try await observed.settle()
      let told = observed.changes(from: mark)
      let modified = told.filter { $0.kind == .modified }.map { observed.relative($0.path) }
      #expect(modified.sorted() == Self.documents.sorted(), "save \(number)")
      #expect(!told.contains { $0.kind != .modified && before.contains($0.uuid) }, "save \(number): \(told)")
    }
    #expect(try Self.documents.map { try observed.uuid($0) } == before)
    try await observed.expectAgreement()
  }

  private static let documents = ["", "a/", "a/b/"].flatMap { folder in (0..<12).map { "\(folder)\($0).txt" } }

  private func run(_ command: String, in folder: TestFolder) async throws {
    let script = "cd '\(folder.watched.path)' && OUT='\(folder.outside.path)' && { \(command); }"
    try await onThread { try Command.run("sh", "-c", script) }
  }
}

extension Folder {
  /// Writes a file, in a folder that is made if it is not there.
  fileprivate func makeAndWrite(_ name: String, _ content: String) throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectories(String(name[..<slash])) }
    try write(name, content)
  }
}

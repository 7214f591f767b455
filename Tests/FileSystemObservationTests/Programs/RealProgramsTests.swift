import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import Testing

/// The programs themselves, not what was recorded of them: a document that they save ten times keeps its identity.
///
/// Not below /tmp, where editors save differently.
@Suite(.busy) struct RealProgramsTests {
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
    let document = try observed.uuid("doc.txt")
    for number in 1...Self.saves {
      try folder.outside.write("doc.txt", "line \(number) of what is saved\n")
      let mark = observed.recorder.position
      try await run("N=\(number); \(program.save)", in: folder)
      try await observed.settle()
      let told = observed.changes(from: mark).filter { $0.uuid == document }
      #expect(told.map(\.kind) == [.modified], "save \(number): \(observed.said(from: mark))")
      #expect(try observed.uuid("doc.txt") == document, "save \(number)")
    }
    try await observed.expectAgreement()
  }

  private func run(_ command: String, in folder: TestFolder) async throws {
    let script = "cd '\(folder.watched.path)' && OUT='\(folder.outside.path)' && { \(command); }"
    try await onThread { try Command.run("sh", "-c", script) }
  }
}

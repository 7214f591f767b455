import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

/// What real applications did, re-enacted at true speed.
@Suite struct CorpusTests {
  @Test func allRecordingsAreThere() {
    #expect(Recording.all.count == 93)
  }

  @Test(.light, arguments: Recording.all)
  func whatIsSaidIsTheTruth(_ recording: Recording) async throws {
    let folder = try TestFolder(recording.case)
    try Reenactor(recording, in: folder).prepare()
    let observed = ObservedFolder(folder)
    try await observed.start()
    var identities: [String: UUID] = [:]
    for path in recording.before.keys { identities[path] = try observed.uuid(path) }
    for (path, item) in recording.before {
      if let uuid = item.uuid { #expect(identities[path] == uuid, "the tag that was there is kept") }
    }

    let mark = observed.recorder.position
    let lastWrite = try await onThread {
      var reenactor = Reenactor(recording, in: folder)
      try reenactor.perform()
      return reenactor.lastWrite
    }
    try await observed.settle()
    try await observed.settle()
    let faults = Grader.faults(recording, observed, from: mark, identities: identities, lastWrite: lastWrite)
    if !faults.isEmpty { Issue.record("\(faults), said was \(observed.said(from: mark))") }
    try await observed.expectAgreement()
  }
}

import FileSystemObservation
import Foundation
import ObservationCorpus
import ObservationTestSupport
import SystemPackage
import Testing

/// What real applications did, re-enacted at true speed.
@Suite struct CorpusTests {
  /// The recordings of this project, and those of another folder, which may be named in `FSO_RECORDINGS`.
  static let recordings: [Recording] = {
    let more = Environment["FSO_RECORDINGS"].flatMap { try? Recording.recordings(in: $0) }
    return Recording.all + (more ?? [])
  }()

  /// A recording that cannot be read is missing among `all`.
  @Test func allRecordingsCanBeRead() throws {
    let folder = try #require(Recording.folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    #expect(Recording.all.map { "\($0.case).json" } == files.sorted())
    #expect(files.count >= 93)
    if let more = Environment["FSO_RECORDINGS"] { _ = try Recording.recordings(in: more) }
  }

  @Test(.light, arguments: recordings)
  func whatIsSaidIsTheTruth(_ recording: Recording) async throws {
    let folder = try TestFolder(recording.case)
    try Reenactor(recording, in: folder).prepare()
    let observed = ObservedFolder(folder)
    try await observed.start()
    let identities = try observed.tags(of: recording.before.keys)
    let mark = observed.recorder.position
    let lastWrites = try await onThread {
      var reenactor = Reenactor(recording, in: folder)
      try reenactor.perform()
      return reenactor.lastWrites
    }
    try await observed.settle()
    try await observed.settle()
    var account = try observed.account(from: mark, of: recording.after.keys)
    account.identities = identities
    account.lastWrites = lastWrites.mapValues(\.nanoseconds)
    let isSeen = TestSource.seesEveryStep || !TestSource.recordingsWithUnseenSteps.contains(recording.case)
    let faults = isSeen ? Grader.faults(recording, account) : []
    if !faults.isEmpty { Issue.record("\(faults), said was \(observed.said(from: mark))") }
    try await observed.expectAgreement()
  }
}

extension ObservedFolder {
  fileprivate func tags(of paths: some Sequence<String>) throws -> [String: UUID] {
    var tags: [String: UUID] = [:]
    for path in paths { tags[path] = try root.tag(path) }
    return tags
  }

  /// What was said since a mark, for the grader.
  fileprivate func account(from mark: Int, of paths: some Sequence<String>) throws -> Account {
    var account = Account()
    for entry in recorder.entries[mark...] {
      for change in entry.changes where !Self.isCookie(relative(change.path)) {
        account.sayings.append(
          Account.Saying(
            change.kind, change.uuid, relative(change.path), previousPath: change.previousPath.map(relative),
            original: change.originalUUID, time: entry.time.nanoseconds))
      }
    }
    account.tags = try tags(of: paths)
    return account
  }
}

extension Recording: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { `case` }
}

import FileSystemObservation
import Foundation
import ObservationCorpus
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What real applications did, re-enacted at true speed.
@Suite struct CorpusTests {
  /// The recordings of this project, and those of another folder, which may be named in `FSO_RECORDINGS`.
  static let recordings: [Recording] = {
    let more = Environment["FSO_RECORDINGS"].flatMap { try? Recording.recordings(in: $0) }
    let all = Recording.all + (more ?? [])
    // `FSO_SAMPLE=10` takes every tenth.
    let step = Environment["FSO_SAMPLE"].flatMap { Int($0) } ?? 1
    return stride(from: 0, to: all.count, by: max(1, step)).map { all[$0] }
  }()

  /// A recording that cannot be read is missing among `all`.
  @Test func allRecordingsCanBeRead() throws {
    let folder = try #require(Recording.folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    #expect(Recording.all.map { "\($0.case).json" } == files.sorted())
    #expect(files.count >= 93)
    if let more = Environment["FSO_RECORDINGS"] { _ = try Recording.recordings(in: more) }
  }

  @Test(.light, .undisturbed, arguments: recordings)
  func whatIsSaidIsTheTruth(_ recording: Recording) async throws {
    let refused = recording.needs.filter { !$0.isPossible }.map(\.rawValue).sorted().joined(separator: ", ")
    if !refused.isEmpty {
      print("here: recording left out: needs \(refused): \(recording.case)")
      try Test.cancel("needs \(refused)")
    }
    let recording = Ability.tags.isPossible ? recording : recording.withoutTags
    let folder = try TestFolder(recording.case)
    try Reenactor(recording, in: folder).prepare()
    let observed = ObservedFolder(folder)
    try await observed.start()
    let identities = try observed.identities(of: recording.before.keys)
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
    if !isSeen { print("here: recording of which not every step is seen: only its end counts: \(recording.case)") }
    let faults = isSeen ? Grader.faults(recording, account) : []
    if !faults.isEmpty { Issue.record("\(faults), said was \(observed.said(from: mark))") }
    try await observed.expectAgreement()
  }
}

extension ObservedFolder {
  fileprivate func identities(of paths: some Sequence<String>) throws -> [String: UUID] {
    var identities: [String: UUID] = [:]
    for path in paths { identities[path] = try identity(path) }
    return identities
  }

  /// What was said since a mark, for the grader.
  fileprivate func account(from mark: Int, of paths: some Sequence<String>) throws -> Account {
    var account = Account()
    for entry in recorder.entries[mark...] {
      for change in entry.changes where !Self.isCookie(relative(change.path)) {
        account.sayings.append(
          Account.Saying(
            change.kind, change.uuid, relative(change.path), previousPath: change.previousPath.map(relative),
            original: change.original?.uuid, time: entry.time.nanoseconds))
      }
    }
    account.tags = try identities(of: paths)
    return account
  }
}

extension Recording {
  /// What the file system must allow for this to be re-enacted.
  fileprivate var needs: Set<Ability> {
    var needs: Set<Ability> = []
    if carriesTag || operations.contains(where: { $0.tag != nil }) { needs.insert(.tags) }
    if before.values.contains(where: { $0.type == "symlink" }) { needs.insert(.symbolicLinks) }
    if before.values.contains(where: { $0.nlink ?? 1 > 1 && $0.type == "file" }) { needs.insert(.hardLinks) }
    for operation in operations {
      switch operation.op {
      case .copytag: needs.insert(.tags)
      case .link: needs.insert(.hardLinks)
      case .symlink: needs.insert(.symbolicLinks)
      case .exchange: needs.insert(.exchange)
      case .tmpfile: needs.insert(.unnamedFiles)
      default: break
      }
    }
    return needs
  }
}

extension Recording {
  /// The same with files that bear no tags when observation begins.
  fileprivate var withoutTags: Recording {
    var recording = self
    for path in before.keys { recording.before[path]?.uuid = nil }
    return recording
  }
}

extension Recording: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { `case` }
}

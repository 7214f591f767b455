#if Store
import FileSystemObservation
import FoundationEssentials
import ObservationCorpus
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What is announced of the saves, copies and moves of real applications, as recorded, that nobody observed.
@Suite(.undisturbed) struct OfflineRecordingTests {
  /// Nobody can know afterwards that there was time between removal and new file, or that something was away.
  private static let unknowable: Set = ["deleted-then-new", "undo-trash"]

  @Test func whatIsSaidOfAllRecordingsIsTheTruth() async throws {
    let recordings = Recording.all.enumerated().map { $1.renumbered(UInt16($0)) }
    let tree = try OfflineTree("recordings")
    for recording in recordings { try prepare(recording, in: tree) }
    try Command.run("find", tree.root.path, "-exec", "touch", "-h", "-d", "1 hour ago", "{}", "+")
    let before = try await tree.run(awaitingCopies: false).snapshot
    for recording in recordings {
      var reenactor = reenactor(recording, in: tree)
      try reenactor.perform(atOnce: true)
    }
    let run = try await tree.run(awaitingCopies: false)
    let items = Dictionary(grouping: before) { $0.relativePath.components.first?.string ?? "" }
    let changes = Dictionary(grouping: run.sets.joined()) { $0.item.relativePath.components.first?.string ?? "" }
    for recording in recordings where !Self.unknowable.contains(recording.case) {
      let account = account(
        of: recording, items[recording.case] ?? [], changes[recording.case] ?? [], run.snapshot, tree)
      let faults = Grader.faults(recording, account)
      if faults.isEmpty { continue }
      let said = OfflineAccount(before, changes[recording.case] ?? []).words(in: recording.case)
      Issue.record("\(recording.case): \(faults), said was \(said)")
    }
    #expect(tree.differences(from: run.snapshot) == [])
  }

  private func reenactor(_ recording: Recording, in tree: OfflineTree) -> Reenactor {
    Reenactor(recording, in: tree.root.folder(recording.case), outside: tree.folder.outside.folder(recording.case))
  }

  private func prepare(_ recording: Recording, in tree: OfflineTree) throws {
    try tree.root.mkdir(recording.case)
    try tree.folder.outside.mkdir(recording.case)
    try reenactor(recording, in: tree).prepare()
  }

  /// What was said, for the grader.
  private func account(
    of recording: Recording, _ before: [FileSystemItem.Snapshot], _ changes: [FileSystemChange],
    _ after: FileSystemSnapshot, _ tree: OfflineTree
  ) -> Account {
    let folder = tree.root.folder(recording.case)
    var account = Account()
    for item in before { account.identities[Replay.relative(item.path, to: folder.path)] = item.uuid }
    account.sayings = changes.map { change in
      Account.Saying(
        change.kind, change.item.uuid, Replay.relative(change.item.path, to: folder.path),
        previousPath: change.previousPath.map { Replay.relative($0, to: folder.path) }, original: change.original?.uuid,
        time: 0)
    }
    for path in recording.after.keys { account.tags[path] = after[FilePath(folder[path])]?.uuid }
    return account
  }
}

extension Recording {
  /// The same with UUIDs that no other recording has.
  fileprivate func renumbered(_ number: UInt16) -> Recording {
    var recording = self
    for path in before.keys { recording.before[path]?.uuid = before[path]?.uuid?.renumbered(number) }
    for index in operations.indices { recording.operations[index].tag = operations[index].tag?.renumbered(number) }
    return recording
  }
}

extension UUID {
  fileprivate func renumbered(_ number: UInt16) -> UUID {
    var bytes = uuid
    bytes.0 = UInt8(truncatingIfNeeded: number >> 8)
    bytes.1 = UInt8(truncatingIfNeeded: number)
    return UUID(uuid: bytes)
  }
}
#endif

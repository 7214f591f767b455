#if Store
import FileSystemObservation
import FoundationEssentials
import ObservationCorpus
import ObservationTestSupport
import SystemPackage
import Testing

/// What is announced of the saves, copies and moves of real applications, as recorded, that nobody observed.
struct OfflineRecordingTests {
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
    for recording in recordings where !Self.unknowable.contains(recording.case) {
      let faults = Grader.faults(recording, account(of: recording, before, run, tree))
      if !faults.isEmpty { Issue.record("\(recording.case): \(faults), said was \(said(of: recording, before, run))") }
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

  private func said(of recording: Recording, _ before: FileSystemSnapshot, _ run: OfflineTree.Run) -> [String] {
    OfflineAccount(before, run.sets.joined()).words(in: recording.case)
  }

  /// What was said, for the grader.
  private func account(
    of recording: Recording, _ before: FileSystemSnapshot, _ run: OfflineTree.Run, _ tree: OfflineTree
  ) -> Account {
    let folder = tree.root.folder(recording.case)
    let prefix = folder.path + "/"
    var account = Account()
    for item in before where item.path.string.hasPrefix(prefix) {
      account.identities[Replay.relative(item.path, to: folder.path)] = item.uuid
    }
    for change in run.sets.joined() where change.item.path.string.hasPrefix(prefix) {
      account.sayings.append(
        Account.Saying(
          change.kind, change.item.uuid, Replay.relative(change.item.path, to: folder.path),
          previousPath: change.previousPath.map { Replay.relative($0, to: folder.path) },
          original: change.original?.uuid,
          time: 0))
    }
    for path in recording.after.keys { account.tags[path] = run.snapshot[FilePath(folder[path])]?.uuid }
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

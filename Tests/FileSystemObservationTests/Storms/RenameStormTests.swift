import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Renames as fast as they can be made.
@Suite(.alone) struct RenameStormTests {
  private static let count = Scale.of(20_000)

  /// Every one of as many files gets another name: every one is said, once, with the right names and UUID.
  @Test func everyRenameOfAStormIsTold() async throws {
    let storm = Storm(files: Self.count, folders: 20)
    let observed = try await ObservedFolder.begin { try storm.prepare($0.watched) }
    let root = observed.root
    var before: [String: UUID] = [:]
    for file in storm.files { before[file.old] = try root.tag(file.old) }
    let mark = observed.recorder.position
    try await onThread { try storm.renameAll(in: root) }
    try await observed.settle(within: .seconds(120))

    let changes = observed.changes(from: mark)
    #expect(changes.count == Self.count)
    #expect(Set(changes.map(\.kind)) == [.renamed])
    var told: [String: FileSystemChange] = [:]
    for change in changes { told[change.previousPath.map(observed.relative) ?? ""] = change }
    let wrong = storm.files.filter { file in
      guard let change = told[file.old] else { return true }
      return observed.relative(change.path) != file.new || change.uuid != before[file.old]
    }
    #expect(wrong.count == 0, "for instance \(wrong.prefix(3))")
    try await observed.expectAgreement()
  }

  /// A few files have many names one after the other, and swap them: what is said leads to what is there.
  @Test func aStormOverFewFilesLeadsToWhatIsThere() async throws {
    let names = 40
    let observed = try await ObservedFolder.begin { folder in
      for number in 0..<names / 2 { try folder.watched.write("n\(number)") }
    }
    let root = observed.root
    let before = Set(try Directory.list(root.path).compactMap { try root.tag($0.name) })
    try await onThread {
      var random = SplitMix64(seed: 1)
      for _ in 0..<Self.count {
        let old = "n\(Int.random(in: 0..<names, using: &random))"
        let new = "n\(Int.random(in: 0..<names, using: &random))"
        // Never one over another: no document may end here.
        if root.exists(new) { try? root.exchange(old, new) } else { try? root.rename(old, new) }
      }
    }
    try await observed.expectAgreement(within: .seconds(60))
    let after = Set(try Directory.list(root.path).compactMap { try root.tag($0.name) })
    #expect(after == before)
  }
}

/// Many files, and the loop that renames them all.
struct Storm: Sendable {
  struct File: Sendable {
    var old: String
    var new: String
  }

  let files: [File]
  private let folders: Int

  init(files count: Int, folders: Int) {
    self.folders = folders
    files = (0..<count).map { File(old: "d\($0 % folders)/old\($0)", new: "d\($0 % folders)/new\($0)") }
  }

  func prepare(_ root: Folder) throws(Errno) {
    for number in 0..<folders { try root.mkdir("d\(number)") }
    for file in files { _ = try root.open(file.old, .create) }
  }

  /// Nothing is computed in the loop: it is as fast as one in C.
  func renameAll(in root: Folder) throws(Errno) {
    try RenameLoop(files.map { (root[$0.old], root[$0.new]) }).run()
  }
}

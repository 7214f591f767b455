import FileSystemObservation
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// A checkout rewrites many files: each keeps its identity, and their tags are written in one go when it is over.
@Suite(.busy, .undisturbed) struct GitCheckoutTests {
  private static let names = (0..<200).map { "file-\($0).txt" }

  private static let prepare = """
    set -e
    git init -q -b one . && git config user.name x && git config user.email x@example.org
    for i in $(seq 0 199); do echo "one $i" > file-$i.txt; done
    git add . && git commit -qm one && git checkout -qb two
    for i in $(seq 0 199); do echo "two $i" > file-$i.txt; done
    git commit -qam two
    """

  private func shell(_ script: String, in folder: TestFolder) throws {
    try Command.run("sh", "-c", "cd '\(folder.watched.path)'; \(script)")
  }

  private func observe() async throws -> ObservedFolder {
    guard (try? Command.run("sh", "-c", "command -v git > /dev/null")) != nil else {
      try Test.cancel("not installed: git")
    }
    let folder = try TestFolder()
    try shell(Self.prepare, in: folder)
    let observed = ObservedFolder(folder)
    try await observed.start()
    return observed
  }

  @Test func everyFileKeepsItsIdentityAndIsTaggedWhenTheCheckoutIsOver() async throws {
    let observed = try await observe()
    let before = try Self.names.map { try observed.uuid($0) }
    let mark = observed.recorder.position
    try shell("git checkout -q one", in: observed.folder)
    try await observed.expectAgreement()
    #expect(try Self.names.map { try observed.uuid($0) } == before)
    #expect(observed.changes(from: mark).count == Self.names.count)
  }

  /// As a checkout over the network, or of a large tree.
  @Test func noneIsTaggedWhileOthersAreStillWritten() async throws {
    let observed = try await observe()
    let before = try Self.names.map { try observed.uuid($0) }
    for name in Self.names {
      try observed.root.unlink(name)
      try observed.root.write(name, "three\n")
      // Not by a task, which other tests may keep waiting.
      usleep(5_000)
    }
    try await observed.expectAgreement()
    #expect(try Self.names.map { try observed.uuid($0) } == before)
    let statuses = try Self.names.map { try FileStatus.of(path: FilePath(observed.root[$0])) }
    let (written, tagged) = (statuses.map(\.modified).max() ?? 0, statuses.map(\.changed).min() ?? 0)
    #expect(tagged > written)
  }

  /// What `core.trustctime` is for.
  @Test func gitThatDoesNotLookAtTheTimesOfChangesFindsNoneChanged() async throws {
    let observed = try await observe()
    try shell("git config core.trustctime false && git checkout -q one", in: observed.folder)
    try await observed.expectAgreement()
    try shell("git diff-index --quiet HEAD", in: observed.folder)
  }
}

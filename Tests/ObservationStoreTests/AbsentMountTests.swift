#if Store
import FileTestSupport
import Foundation
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// A file system that is mounted in the observed folder in one run, and not in the next.
@Suite(.light, .enabled(if: MemoryMount.isPossible, "only root may mount")) final class AbsentMountTests: Sendable {
  private let stored: StoredFolder
  private let memory: MemoryMount

  init() throws {
    stored = try StoredFolder()
    memory = try MemoryMount()
    try stored.shell("mkdir stick && mkdir '\(memory.path.string)/d'")
    try PlainFiles.write("a photo".utf8, to: memory.path.appending("d/photo"))
    try stored.write("letter.odt", "letter")
    try mount()
  }

  deinit {
    try? Command.run("umount", "--quiet", "-l", stored.path("stick"))
  }

  private func mount() throws { try Command.run("mount", "--bind", memory.path.string, stored.path("stick")) }
  private func unmount() throws { try Command.run("umount", stored.path("stick")) }

  /// What a run announces until all is announced that has happened before it.
  private func run() async throws -> [FileSystemChange] {
    let observer = FileSystemObserver(stored.configuration, store: stored.store)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    await observer.synchronize()
    await observer.stop()
    var changes: [FileSystemChange] = []
    for try await event in events {
      if case .didChange(let set) = event { changes += set.filter { $0.kind != .copyFinished } }
    }
    return changes
  }

  private func said(_ changes: [FileSystemChange]) -> [String] { changes.map(words).sorted() }

  private func words(_ change: FileSystemChange) -> String {
    switch change.event {
    case .deleted(let reason): "\(stored.said(change)) (\(reason))"
    case .discovered(_, isReturned: true): "\(stored.said(change)) (returned)"
    default: stored.said(change)
    }
  }

  @Test func whatIsOnItIsUnmountedAndReturns() async throws {
    let photo = try #require(try await run().first { $0.path.lastComponent?.string == "photo" }).uuid
    try unmount()
    let gone = try await run()
    #expect(
      said(gone) == [
        "deleted stick (unmounted)", "deleted stick/d (unmounted)", "deleted stick/d/photo (unmounted)",
        "discovered stick",
      ])
    try mount()
    let back = try await run()
    #expect(back.contains { $0.uuid == photo && $0.isReturned }, "\(said(back))")
  }

  /// The mount point and the top of the file system are two folders.
  @Test func whatIsBelowAFileSystemThatIsMountedLaterIsUnmounted() async throws {
    try unmount()
    try stored.write("stick/below", "below")
    let before = try await run()
    func uuid(of name: String, in changes: [FileSystemChange]) throws -> UUID {
      try #require(changes.first { $0.item.relativePath.string == name && $0.kind == .discovered }).uuid
    }
    try mount()
    let mounted = try await run()
    #expect(
      said(mounted) == [
        "deleted stick (unmounted)", "deleted stick/below (unmounted)", "discovered stick", "discovered stick/d",
        "discovered stick/d/photo",
      ])
    #expect(try uuid(of: "stick", in: mounted) != uuid(of: "stick", in: before))
    try unmount()
    let back = try await run()
    #expect(
      said(back).filter { $0.contains("returned") } == [
        "discovered stick (returned)", "discovered stick/below (returned)",
      ])
    for name in ["stick", "stick/below"] { #expect(try uuid(of: name, in: back) == uuid(of: name, in: before)) }
  }

  /// Another computer has had the stick: the identity stays with the name.
  @Test func whatWasSavedOnItBetweenRunsIsTheSameDocument() async throws {
    let photo = try #require(try await run().first { $0.path.lastComponent?.string == "photo" }).uuid
    try unmount()
    _ = try await run()
    try Command.run("sh", "-c", "cd '\(memory.path.string)/d' && echo new > t && mv t photo")
    try mount()
    let back = try await run()
    #expect(back.contains { $0.uuid == photo && $0.isReturned }, "\(said(back))")
    // That was all: who has the name later is another.
    try unmount()
    _ = try await run()
    try mount()
    _ = try await run()
    try stored.remove("stick/d/photo")
    _ = try await run()
    try stored.write("stick/d/photo", "another")
    #expect(!(try await run()).contains { $0.uuid == photo })
  }

  @Test func whatWasRemovedFromItIsRemoved() async throws {
    _ = try await run()
    try stored.remove("stick/d/photo")
    #expect(said(try await run()) == ["deleted stick/d/photo (removed)"])
  }

  /// What went with the folder around it cannot be seen either.
  @Test func aFileSystemWhoseMountPointIsGoneIsUnmounted() async throws {
    _ = try await run()
    try unmount()
    try stored.remove("stick")
    let gone = said(try await run())
    #expect(
      gone == ["deleted stick (unmounted)", "deleted stick/d (unmounted)", "deleted stick/d/photo (unmounted)"])
  }
}
#endif

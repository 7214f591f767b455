import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Several observers in one process, as in an app with several windows.
@Suite(.heavy) struct ObserversOfOneProcessTests {
  /// They begin while other programs save all the time, and see different steps: their tags are not those of each other.
  @Test(.enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
  func allAgreeWithTheTagsInTheEnd() async throws {
    let folder = try TestFolder()
    let root = folder.watched
    try root.makeDirectories("sub")
    let places = [root.path, root["sub"], root.path]
    let rounds = Scale.of(600)
    async let churn: Void = onThread {
      for round in 0..<rounds {
        for name in ["sub/\(round % 7)", "\(round % 5)"] {
          try root.write("\(name).tmp", String(round))
          try root.rename("\(name).tmp", "\(name).txt")
        }
        if round % 11 == 3 { try? root.unlink("sub/\(round % 7).txt") }
        if round % 13 == 4 { try? root.unlink("\(round % 5).txt") }
      }
    }
    var observers: [FileSystemObserver] = []
    for place in places {
      let observer = FileSystemObserver(directory: FilePath(place))
      try await observer.start()
      observers.append(observer)
    }
    try await churn
    for observer in observers { await observer.synchronize(writingTags: true) }
    for observer in observers {
      #expect(try await comesTrue { try differences(observer).isEmpty }, "\((try? differences(observer)) ?? [])")
    }
    for observer in observers { await observer.stop() }
  }

  /// The files whose UUID is not that of their tag.
  private func differences(_ observer: FileSystemObserver) throws -> [String] {
    try observer.snapshot().compactMap { item in
      let tag = try FileSystemIdentity().uuid(ofItemAt: item.path).uuid
      return tag == item.uuid ? nil : "\(item), and not \(tag)"
    }
  }
}

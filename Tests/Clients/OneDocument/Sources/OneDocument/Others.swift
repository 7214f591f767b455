import FileSystemObservation
import FoundationEssentials

/// The other files, which are renamed, saved, made and removed all the time.
final class Others {
  private let folder: FilePath
  private var round = 0

  init(in folder: FilePath) {
    self.folder = folder
  }

  /// Does something in the midst of changes of a hundred others.
  func change(_ body: () throws -> Void) throws {
    round += 1
    let directory = folder.appending("\(round)")
    for number in 1...25 {
      try rename(directory.appending("\(number).txt"), to: directory.appending("renamed \(number).txt"))
      try replace(directory.appending("\(number + 25).txt"), with: "saved")
      if number == 13 { try body() }
      try remove(directory.appending("\(number + 50).txt"))
      try write("new", to: folder.appending("50/\(round)-\(number).txt"))
    }
  }

  /// Waits until everything has been told that was done to these files.
  func awaitAll(in events: FileSystemObserver.Events) async throws {
    var counts: [FileSystemChange.Kind: Int] = [:]
    for try await event in events {
      guard case .didChange(let changes) = event else { continue }
      for change in changes where !changes.isFirstScan { counts[change.kind, default: 0] += 1 }
      let kinds: [FileSystemChange.Kind] = [.renamed, .modified, .deleted, .copyFinished]
      if kinds.allSatisfy({ counts[$0, default: 0] >= round * 25 }) { return }
    }
  }
}

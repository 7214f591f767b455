internal import FileTestSupport
internal import SystemPackage

/// Random operations on a few names, as fast as the disk allows.
///
/// Most of them meet items that another thread has just made, moved or removed.
package struct Churn: Sendable {
  private static let expected: Set<Errno> = [
    .noSuchFileOrDirectory, .fileExists, .directoryNotEmpty, .notDirectory, .isDirectory, .invalidArgument,
    .notPermitted,
  ]

  private let folder: Folder

  package init(in folder: Folder) {
    self.folder = folder
  }

  /// Works with several threads, each for some time from its start, which a busy machine may delay.
  ///
  /// - Returns: The number of operations, at least one a thread.
  package func run(seed: UInt64, threads: Int = 2, for time: Duration) async throws -> Int {
    try await withThrowingTaskGroup { group in
      for thread in 0..<threads {
        group.addTask { [self] in
          try await onThread {
            var random = SplitMix64(seed: seed &* 1000 &+ UInt64(thread))
            var count = 0
            let end = Moment.now + time
            repeat {
              try step(&random)
              count += 1
            } while Moment.now < end
            return count
          }
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func step(_ random: inout SplitMix64) throws(Errno) {
    let (one, other) = (path(&random), path(&random))
    do {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6: try folder.write(one)
      case 6..<8: try folder.append(one)
      case 8..<13: try folder.rename(one, other)
      case 13: try folder.exchange(one, other)
      case 14: try folder.link(one, other)
      case 15..<17: try folder.unlink(one)
      case 17..<19: try folder.mkdir(directory(&random))
      default: try folder.rmdir(directory(&random))
      }
    } catch {
      guard Self.expected.contains(error) else { throw error }
    }
  }

  private func path(_ random: inout SplitMix64) -> String {
    let name = Bool.random(using: &random) ? "f\(Int.random(in: 0..<12, using: &random))" : nil
    let directory = directory(&random)
    return name.map { "\(directory)/\($0)" } ?? directory
  }

  private func directory(_ random: inout SplitMix64) -> String {
    let depth = Int.random(in: 1...3, using: &random)
    return (0..<depth).map { _ in "d\(Int.random(in: 0..<5, using: &random))" }.joined(separator: "/")
  }
}

internal import FileTestSupport
package import FoundationEssentials

/// Random operations of several threads in one folder, determined by a seed as far as thread timing allows.
package struct RandomWork: Sendable {
  package static let threads = 3
  private static let documentsPerThread = 6

  package let tree: FolderTree
  private let folder: TestFolder
  private let seed: UInt64
  private let steps: Int
  private let identity: @Sendable (String) throws -> UUID?

  /// Makes the documents; the observer must know them before any operation.
  package static func makeDocuments(in folder: Folder) throws {
    for thread in 0..<threads {
      for number in 0..<documentsPerThread { try folder.write(documentName(thread, number), "first version") }
    }
  }

  private static func documentName(_ thread: Int, _ number: Int) -> String { "t\(thread)-\(number).txt" }

  /// Makes the folders that all threads share.
  ///
  /// - Parameter identity: Gives the UUID of a document; by default, the one in its tag.
  package init(
    in folder: TestFolder, seed: UInt64, steps: Int, identity: (@Sendable (String) throws -> UUID?)? = nil
  ) throws {
    self.folder = folder
    self.seed = seed
    self.steps = steps
    self.identity = identity ?? { [watched = folder.watched] name in try watched.tag(name) }
    tree = try FolderTree(folder)
    for name in ["a", "b", "c"] { try tree.make(name, in: 0) }
    try tree.make("d", in: 1)
    try tree.make("e", in: 4)
  }

  /// Runs the threads.
  ///
  /// - Returns: The documents as they are in the end.
  package func run(since start: Moment) async throws -> [Document] {
    let border = Border()
    return try await withThrowingTaskGroup { group in
      for thread in 0..<Self.threads {
        let worker = Worker(
          number: thread, tree: tree, outside: folder.outside, border: border,
          rest: seed % 2 == 0 ? .zero : .milliseconds(2500), start: start,
          random: SplitMix64(seed: seed &* 1000 &+ UInt64(thread)), documents: try documents(of: thread))
        group.addTask { [steps] in
          try await onThread {
            var worker = worker
            try worker.run(steps: steps)
            return worker.documents
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func documents(of thread: Int) throws -> [Document] {
    try (0..<Self.documentsPerThread).compactMap { number in
      let name = Self.documentName(thread, number)
      return try identity(name).map { Document(uuid: $0, folder: 0, name: name) }
    }
  }
}

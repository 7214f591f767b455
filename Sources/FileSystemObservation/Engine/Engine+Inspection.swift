package import FileIdentity
package import LinuxFileSystem

// What the engine knows and has not decided, for tests and diagnosis.

/// One entry of the graph.
package struct KnownItem: Sendable {
  package var id: NodeID
  package var parent: NodeID
  package var name: ArraySlice<UInt8>
  package var uuid: UUIDBits
  package var key: FileKey
  package var kind: FileKind
  package var size: Int64
  package var modified: Int64
  package var isCopying: Bool
}

/// How much the engine remembers besides the graph; everything must be forgotten when nothing happens any more.
package struct OpenQuestions: Sendable {
  /// The number of entries in each temporary table of the classifier and the engine.
  package var counts: [(book: String, count: Int)]
  package var unfinished: [[UInt8]]
  /// Directories that have a mark.
  package var markCount: Int
  /// Directories above the observed one that have a mark.
  package var ancestorMarkCount: Int
  /// Directories in the graph, including the observed one.
  package var directoryCount: Int
  /// Directories that cannot be listed, or not marked: some things are remembered until they can.
  package var unreadableCount: Int
}

extension Engine {
  /// Calls `body` with all entries, parents before children.
  package func forEachKnownItem(_ body: (KnownItem) -> Void) {
    state.classify { $0.graph.forEachKnownItem(body) }
  }

  /// A listener of this engine, for tests; it gets what an `Announcer` makes of the engine's output.
  package func subscription(_ terms: Subscription.Terms) -> Subscription {
    let (state, directory) = (state, settings.path)
    let sources = Subscription.Sources { scope in
      guard let (storage, sequence) = state.snapshot() else { return FileSystemSnapshot(directory: directory) }
      return FileSystemSnapshot(storage, sequence: sequence, directory: directory, scope: scope)
    }
    return Subscription(terms, sources)
  }

  /// The items of a part of the tree; `nil` before the first scan is announced.
  package func items(in scope: FileSystemObserver.Scope) -> FileSystemSnapshot? {
    state.snapshot().map { FileSystemSnapshot($0.0, sequence: $0.sequence, directory: settings.path, scope: scope) }
  }

  package func openQuestions() -> OpenQuestions {
    let ownCounts = [("changedDirectories", changedDirectories.count), ("heldTags", heldTags.count + copyTags.count)]
    let (markCount, ancestorMarkCount) = (markedDirectories.count, ancestorMarks.count)
    return state.classify { classifier in
      var counts = classifier.pendingCounts + ownCounts
      let unreadable = classifier.coverage.count(of: .unlistable)
      if unreadable == 0 {
        let coverage = classifier.coverage
        counts += [("needsListing", coverage.count(of: .needsListing)), ("lateFinds", coverage.lateFinds.count)]
      }
      return OpenQuestions(
        counts: counts, unfinished: classifier.unfinishedPaths, markCount: markCount,
        ancestorMarkCount: ancestorMarkCount, directoryCount: classifier.graph.directoryCount + 1,
        unreadableCount: unreadable)
    }
  }
}

extension ResumedTree {
  /// Calls a function with each item of the stored tree; parents come before children.
  package func forEachKnownItem(_ body: (KnownItem) -> Void) { graph.forEachKnownItem(body) }
}

extension FileGraph {
  fileprivate func forEachKnownItem(_ body: (KnownItem) -> Void) {
    storage.forEachDescendant(of: .root) { id in
      let node = self[id]
      let content = content(of: id)
      body(
        KnownItem(
          id: id, parent: node.parent, name: storage.nameBytes(id), uuid: node.uuid, key: key(id),
          kind: node.kind, size: content.size, modified: content.modified, isCopying: node.flags.contains(.copying)))
    }
  }
}

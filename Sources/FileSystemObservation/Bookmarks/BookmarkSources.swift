import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The tree of an observer, as a place for bookmarks.
struct ObserverSource: BookmarkSource {
  private let observer: FileSystemObserver

  init(_ observer: FileSystemObserver) {
    self.observer = observer
  }

  func knowledge(of file: SoughtFile) -> BookmarkKnowledge {
    guard let run = observer.state.withLock({ $0.run }) else {
      return BookmarkKnowledge(directory: observer.directory, isPresent: false)
    }
    return run.driver.state.knowledge(of: file, below: run.directory)
  }
}

extension ObservationState {
  fileprivate func knowledge(of file: SoughtFile, below directory: FilePath) -> BookmarkKnowledge {
    content.withLock { content in
      guard content.isLoaded, content.stored == nil else {
        return BookmarkKnowledge(directory: directory, isPresent: false)
      }
      let heir = content.classifier.endedIdentities.heir(of: file.uuid)
      return content.classifier.graph.knowledge(of: file, continuedBy: heir, below: directory)
    }
  }
}

extension FileGraph {
  fileprivate func knowledge(
    of file: SoughtFile, continuedBy heir: UUIDBits? = nil, below directory: FilePath
  ) -> BookmarkKnowledge {
    let id = node(with: file.uuid) ?? heir.flatMap { node(with: $0) } ?? (file.isTagged ? nil : node(with: file.traits))
    let atPath = directory.bytes(ofPathBelow: file.path).flatMap { node(atPath: $0) }
    return BookmarkKnowledge(
      file: id.map { storage.knownFile($0, below: directory) },
      heir: node(with: file.uuid) == nil ? heir : nil,
      hasOtherAtPath: atPath.map {
        self[$0].uuid != file.uuid && self[$0].uuid != heir && self[$0].inode != file.traits.inode
      } ?? false,
      directory: directory, isPresent: true)
  }

  /// The entry of an inode, whichever number its device has; certain only with a birth time.
  private func node(with traits: FileTraits) -> NodeID? {
    guard traits.hasBirthTime else { return nil }
    for device in storage.devices {
      let found = node(withInode: traits.inode, on: device)
      if let found, self[found].born == traits.born { return found }
    }
    return nil
  }
}

extension GraphStorage {
  fileprivate func knownFile(_ id: NodeID, below directory: FilePath) -> BookmarkKnowledge.File {
    let node = nodes[id.index]
    return BookmarkKnowledge.File(path: path(of: id, below: directory), inode: node.inode, born: node.born)
  }
}

extension StoredTree {
  /// What the tree knows of the file of a bookmark.
  package func knowledge(of file: SoughtFile) -> BookmarkKnowledge {
    var knowledge = FileGraph(storage).knowledge(of: file, below: directory)
    // The disk may be another by now.
    knowledge.isPresent = false
    return knowledge
  }
}

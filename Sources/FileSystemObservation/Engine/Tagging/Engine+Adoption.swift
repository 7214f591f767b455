import FileIdentity
import LinuxFileSystem
import SystemPackage

// The app gives an item another identity.

package enum Adoption: Sendable {
  case done
  /// The graph has no entry at the path.
  case notFound
  /// Another item has the identity; its path.
  case inUse(FilePath)
  /// The item is being moved or written. The app can try again when that is over.
  case busy
  case failed(Errno)
}

extension Engine {
  /// The path of an item below the observed directory that has an identity.
  func pathOfItem(with uuid: UUIDBits) -> FilePath? {
    let holder = state.classify { $0.graph.node(with: uuid) }
    return holder.flatMap { $0 == .root ? nil : path(of: $0) }
  }

  /// Gives the item at a path another identity: writes the tag, and announces the change.
  func adopt(_ uuid: UUIDBits, forItemAt names: [FileName], _ now: MonotonicTime) -> Adoption {
    guard !isRootLost else { return .failed(.noSuchFileOrDirectory) }
    guard !names.isEmpty, let place = state.classify({ $0.graph.place(along: names) }) else { return .notFound }
    if let holder = holder(of: uuid, besides: place) { return .inUse(path(of: holder)) }
    guard let entry = probe(place).entry else { return .notFound }
    guard entry.kind != .symlink else { return .failed(.notSupported) }
    let id = state.classify { $0.graph.node(at: place) }
    if let id, !state.classify({ $0.canAccept(id, uuid) }) { return .busy }
    do throws(Errno) {
      guard try write(uuid, for: entry, at: place) else { return .busy }
    } catch {
      return .failed(error)
    }
    take(uuid, for: entry, at: place, now)
    return .done
  }

  private func holder(of uuid: UUIDBits, besides place: Place) -> NodeID? {
    state.classify { classifier in
      guard let holder = classifier.graph.node(with: uuid) else { return nil }
      return classifier.graph.node(at: place).map { classifier.graph[$0].uuid } == uuid ? nil : holder
    }
  }

  private func write(_ uuid: UUIDBits, for entry: Entry, at place: Place) throws(Errno) -> Bool {
    guard let directory = directory(place.parent) else { throw .noSuchFileOrDirectory }
    let outcome = try place.name.withView { (name) throws(Errno) in
      try files.replaceTag(with: uuid, for: name, in: directory, expecting: entry.key)
    }
    return outcome == .written
  }

  private func take(_ uuid: UUIDBits, for entry: Entry, at place: Place, _ now: MonotonicTime) {
    ownTags.insert(place)
    state.classify(at: now) { classifier in
      // An arrival is announced later, with its tag at that time.
      guard let id = classifier.graph.node(at: place), classifier.graph.key(id) == entry.key else { return }
      if classifier.graph[id].uuid != uuid { classifier.accept(id, to: uuid, entry) }
    }
    performRequests(now)
    publish()
  }
}

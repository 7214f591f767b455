import FileEvents
import FileIdentity
import LinuxFileSystem

// Places, paths and filters: what many steps of the engine ask.

extension Engine {
  func place(of hint: Hint) -> Place? {
    guard let directory = markedDirectories[hint.directory], let name = hint.name else { return nil }
    return Place(parent: directory, name: name)
  }

  /// The announced place of an entry; `nil` if it has ended.
  func place(of id: NodeID) -> Place? { state.classify { $0.graph.isLive(id) ? $0.graph.place(id) : nil } }

  /// The level of a directory; the root's own entries are on level 0.
  func level(of id: NodeID) -> Int { state.classify { $0.graph.storage.level(of: id) } }

  /// Whether the filter excludes an item at a place; if its kind is unknown, only if it does so either way.
  ///
  /// - Parameter other: Another filter than the present one.
  func isExcluded(_ place: Place, isDirectory: Bool?, by other: ItemFilter? = nil) -> Bool {
    let filter = other ?? settings.filter
    let directory = filter.directory(filter.needsPaths ? relativePath(place.parent) : [])
    return place.name.withView { filter.reasonToSkip($0, isDirectory: isDirectory, in: directory) } != nil
  }

  /// Whether an item at a place is not observed: the filter excludes it, or it is too deep.
  ///
  /// - Parameter isDirectory: Whether it is a directory; if that is unknown, nothing there is observed, whatever it is.
  func isUnobserved(_ place: Place, isDirectory: Bool? = nil, by other: ItemFilter? = nil) -> Bool {
    if isExcluded(place, isDirectory: isDirectory, by: other) { return true }
    let filter = other ?? settings.filter
    return filter.levels != nil && !filter.includesLevel(level(of: place.parent) + 1)
  }

  /// Whether a place is outside of the selected folders, on the way to one.
  func isOnTheWay(_ place: Place) -> Bool {
    if settings.filter.selected.isEmpty { return false }
    let directory = settings.filter.directory(relativePath(place.parent))
    return place.name.withView { directory.isOnTheWay($0) }
  }

  func relativePath(_ id: NodeID) -> [UInt8] {
    state.classify { $0.graph.storage.path(of: id) }
  }

  /// The path of a directory, if the filter needs it; otherwise an empty one.
  func pathForFilter(of id: NodeID) -> [UInt8] { settings.filter.needsPaths ? relativePath(id) : [] }

  /// Whether a directory, or one above it, is missing, so that its contents are unknown.
  func isUnresolved(_ directory: NodeID) -> Bool {
    state.classify { $0.hasLeftWithFolder(directory) }
  }

  /// Whether a hint reports a tag that this engine wrote, and nothing else.
  func isOwnTag(_ hint: Hint, at place: Place) -> Bool {
    // If the kernel merged it with another event, the tag has been reported all the same.
    guard hint.kinds.contains(.attributes), let written = ownTags.take(place) else { return false }
    if hint.traits.contains(.own), isAloneInProcess() { return true }
    return hint.kinds == .attributes && isUnchanged(place, since: written)
  }

  /// Whether a file has certainly not been changed since its tag was written.
  private func isUnchanged(_ place: Place, since written: OwnTags.Written) -> Bool {
    guard let changed = written.changed, let status = status(at: place) else { return false }
    return FileKey(status) == written.key && status.changed == changed
  }

  /// The status of what is at a place; unlike a look, this does not read its tag.
  func status(at place: Place) -> FileStatus? {
    guard let directory = directory(place.parent) else { return nil }
    return place.name.withView { try? files.status(of: $0, in: directory) }
  }

  func path(of id: NodeID) -> FilePath {
    settings.path.appending(bytes: relativePath(id))
  }

  /// Notes that hints of a directory could not be replayed, as it was not at its place; returns whether that is new.
  @discardableResult
  func noteNeedsListing(_ id: NodeID) -> Bool {
    state.classify { $0.graph.isLive(id) && $0.coverage.set(.needsListing, of: id) }
  }

  /// Whether a directory is still in the graph, and its `NodeID` not reused.
  func isDirectory(_ id: NodeID) -> Bool {
    state.classify { $0.isDirectory(id) }
  }

  /// The places of an operation whose directories the graph has; the destination comes first.
  func places(of operation: OwnOperation) -> [Place] {
    [operation.destination, operation.source].compactMap { $0.flatMap(place) }
  }
}

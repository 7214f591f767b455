internal import LinuxFileSystem
internal import SystemPackage

// What is in the place of an item that was replaced.

extension FileSystemChanges {
  /// The item that is, after the set, in the place of one that was `deleted` because another took it
  /// (``DeletionReason/replaced``).
  ///
  /// That is the document that was moved over another one. Or it is the original of a copied folder: when a program has
  /// copied a folder and then removes it, the original goes on in the copy, and the copy's own UUID ends, also those of
  /// the files in it. What an app has kept for the copy belongs to the original then:
  ///
  /// ```swift
  /// for change in changes.changes(ofKind: .deleted) {
  ///   if let heir = changes.replacement(of: change), originals[change.uuid] == heir.uuid {
  ///     move(from: change.uuid, to: heir.uuid)
  ///   }
  /// }
  /// ```
  ///
  /// Here, the app has kept the ``FileSystemChange/original`` of each item that was `duplicated`.
  ///
  /// - Parameter change: A change of this set.
  /// - Returns: `nil` if the change is not such a deletion, if the item has left the place again by the end of the set,
  ///   or if it came with a folder and the set has no tree (see ``movesBelow(_:)``).
  /// - Complexity: O(*n*) for *n* changes; of the first call for an item that came with a folder, O(*n*) for *n* items of
  ///   the tree.
  public func replacement(of change: FileSystemChange) -> FileSystemItem.Snapshot? {
    guard change.deletionReason == .replaced else { return nil }
    let path = pathAfter(of: change.item.path)
    let arrival = last { $0.kind.bringsItem && $0.item.path == path }
    guard let item = arrival?.item ?? itemAfter(at: path), item.uuid != change.uuid else { return nil }
    return item
  }

  /// The path after the set of a place before the set, which may be in a folder that was moved.
  private func pathAfter(of path: FilePath) -> FilePath {
    let moves = filter { change in
      change.item.kind == .directory && change.previousPath.map { $0 != path && path.starts(with: $0) } == true
    }
    let nearest = moves.max { ($0.previousPath?.components.count ?? 0) < ($1.previousPath?.components.count ?? 0) }
    guard let nearest, let former = nearest.previousPath else { return path }
    var rest = path
    return rest.removePrefix(former) ? nearest.item.path.pushing(rest) : path
  }
}

extension FileSystemChange.Kind {
  /// Whether an item is at the path of such a change that was not there before.
  fileprivate var bringsItem: Bool {
    switch self {
    case .discovered, .duplicated, .renamed, .moved, .linked: true
    case .copyFinished, .modified, .unlinked, .deleted, .attributesChanged, .activity, .propertiesChanged: false
    }
  }
}

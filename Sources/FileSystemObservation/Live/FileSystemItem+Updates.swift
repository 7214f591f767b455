import FoundationEssentials

extension FileSystemItem {
  /// Takes in everything that has happened to the item, and calls the blocks.
  ///
  /// Never waits for anything to happen. The first call begins to collect events; so does ``fileDescriptor``.
  ///
  /// - Returns: Whether anything has happened since the last update.
  @discardableResult
  public func update() -> Bool {
    guard let feed = begunFeed() else { return false }
    var changes: [FileSystemChange] = []
    var hasChanged = false
    while let event = feed.next() {
      if take(event, &changes) { hasChanged = true }
    }
    // During the first scan of a run, the newest tree does not have the item yet.
    if isBehind, !awaitsFirstScan {
      isBehind = false
      if takeNewest() { hasChanged = true }
    }
    for change in changes { blocks.call((self, change)) }
    if hasChanged, changes.isEmpty { blocks.call((self, nil)) }
    return hasChanged || !changes.isEmpty
  }

  /// The descriptor that is readable while something waits to be taken by ``update()``, for poll(2) and the like.
  ///
  /// It may be readable once although nothing waits. The object owns it: do not read from it, and do not close it. -1
  /// if no more descriptors are available.
  public var fileDescriptor: CInt { begunFeed()?.fileDescriptor ?? -1 }

  /// Registers a block that is called in ``update()`` for each change of the item.
  ///
  /// On an actor, the object is updated automatically as soon as something has happened, until the last token is
  /// invalidated or the object is deallocated. Without an actor, the app calls ``update()``, for example when
  /// ``fileDescriptor`` is readable.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the object belongs to.
  ///   - block: Called in that isolation with the object and the change, after the whole update. The change is `nil` if
  ///     the object has changed without one: when the observed directory itself has moved, or at another start.
  /// - Returns: A token. Keep it for as long as you listen.
  public func addNotificationBlock(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping (FileSystemItem, FileSystemChange?) -> Void
  ) -> NotificationToken {
    let registration = blocks.add { block($0.0, $0.1) }
    guard let feed = begunFeed() else { return NotificationToken { registration.end() } }
    if isolation != nil, !isFollowed {
      isFollowed = true
      follow(feed, isolation)
    }
    return NotificationToken {
      registration.end()
      feed.wake()
    }
  }

  private func follow(_ feed: LiveFeed, _ isolation: isolated (any Actor)?) {
    Task { [weak self] in
      _ = isolation
      while await feed.waitForNews() {
        guard let self, self.blocks.removeEnded() else { break }
        self.update()
      }
      self?.isFollowed = false
    }
  }

  private func begunFeed() -> LiveFeed? {
    if feed == nil {
      feed = observer?.makeFeed(of: .item(uuid), startingWith: .now)
      isBehind = true
    }
    return feed
  }
}

// MARK: - Events

extension FileSystemItem {
  /// Takes an event; whether the state has changed.
  private func take(_ event: FileSystemObserver.Event, _ changes: inout [FileSystemChange]) -> Bool {
    switch event {
    case .reset:
      awaitsFirstScan = false
      return takeNewest()
    case .didChange(let set): return take(set, &changes)
    case .willBeginFullScan(.start):
      awaitsFirstScan = true
      return false
    case .didCompleteFullScan where awaitsFirstScan:
      awaitsFirstScan = false
      return takeNewest()
    case .rootMoved: return takeNewest()
    case .willBeginFullScan, .scanProgress, .didCompleteFullScan, .diagnostic, .didEnd: return false
    }
  }

  private func take(_ set: FileSystemChanges, _ changes: inout [FileSystemChange]) -> Bool {
    let stamp = LiveTree.Stamp(epoch: set.cursor?.epoch ?? self.stamp.epoch, sequence: set.sequence)
    awaitsFirstScan = false
    var hasChanged = false
    for change in set where change.uuid == uuid {
      if change.kind != .propertiesChanged, !set.isFirstScan { changes.append(change) }
      if take(change, stamp) { hasChanged = true }
    }
    return hasChanged
  }

  private func take(_ change: FileSystemChange, _ stamp: LiveTree.Stamp) -> Bool {
    // Changes of several names of one file are told by their paths, and the object is of one of them.
    let hasOneName = change.item.nameCount == 1 && current.nameCount == 1
    if !hasOneName || change.kind == .linked || change.kind == .unlinked { return takeNewest() }
    if change.kind == .deleted { return takeDeletion(stamp) }
    return take(change.item, stamp)
  }
}

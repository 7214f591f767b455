import FileIdentity
import FoundationEssentials
import Observation

extension FileSystemItemList {
  /// Takes in everything that has happened since the last update, and calls the blocks.
  ///
  /// Never waits for anything to happen. It may wait for the observer's current step when the list has fallen behind: a
  /// few milliseconds, longer during a rescan of a large tree.
  ///
  /// - Returns: The difference to the rows before; `nil` if nothing has changed.
  /// - Complexity: O(*k* log *k* + *k* log *n*) for *k* changes in *n* rows.
  @discardableResult
  public func update() -> Changes? { update(atMost: .max) }

  /// Takes in what has happened, up to the set that has the last of so many changes.
  @discardableResult
  func update(atMost limit: Int) -> Changes? {
    let formerUUID = model.tree.uuid
    let concernsFolder = takeEvents(atMost: limit)
    registrar.willSet(self, keyPath: \.count)
    if concernsFolder { registrar.willSet(self, keyPath: \.folder) }
    let update = model.finishUpdate()
    if concernsFolder { registrar.didSet(self, keyPath: \.folder) }
    registrar.didSet(self, keyPath: \.count)
    followRoot(from: formerUUID)
    guard let update else { return nil }
    updateItems(update)
    guard !update.changes.isEmpty || update.changes.isReset else { return nil }
    blocks.call((self, update.changes))
    return update.changes
  }

  /// Has the model take events, up to the set that has the last of so many changes; whether the directory of the list
  /// may be another.
  func takeEvents(atMost limit: Int = .max) -> Bool {
    var left = limit
    while left > 0, let event = feed.next() {
      if case .didChange(let changes) = event { left -= changes.count }
      model.take(event) { [observer, scope = model.scope] in
        observer?.snapshot(of: scope) ?? FileSystemSnapshot(directory: model.tree.directory)
      }
    }
    return model.concernsFolder
  }

  /// Listens to the observed directory under its new UUID: another may have taken its place.
  private func followRoot(from former: UUIDBits) {
    guard model.directoryUUID == nil, !model.isDeep, model.tree.uuid != former else { return }
    feed.begin(model.scope)
  }

  /// The descriptor that is readable while something waits to be taken by ``update()``, for poll(2) and the like.
  ///
  /// It may be readable once although nothing waits. The list owns it: do not read from it, and do not close it. -1 if
  /// no more descriptors are available.
  public var fileDescriptor: CInt { feed.fileDescriptor }

  /// Registers a block that is called in ``update()`` with the changes of the rows.
  ///
  /// On an actor, the list is updated automatically as soon as something has happened, until the last token is
  /// invalidated or the list is deallocated. Of thousands of changes it then takes some hundreds at a time, so that the
  /// actor does other work in between, as a main loop that draws. Without an actor, the app calls ``update()``, for
  /// example when ``fileDescriptor`` is readable.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the list belongs to.
  ///   - block: Called in that isolation with the list and its changes, after the whole update.
  /// - Returns: A token. Keep it for as long as you listen.
  public func addNotificationBlock(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping (FileSystemItemList, Changes) -> Void
  ) -> NotificationToken {
    let registration = blocks.add { block($0.0, $0.1) }
    if isolation != nil, !isFollowed {
      isFollowed = true
      follow(isolation)
    }
    return NotificationToken { [feed] in
      registration.end()
      feed.wake()
    }
  }

  private func follow(_ isolation: isolated (any Actor)?) {
    Task { [weak self, feed] in
      _ = isolation
      while await feed.waitForNews() {
        guard let self, self.blocks.removeEnded() else { break }
        self.update(atMost: Self.changesAtOnce)
        // What is left waits for the others on the actor.
        if feed.hasNews { await Task.yield() }
      }
      self?.isFollowed = false
    }
  }

  /// The number of changes that an automatic update takes at once: a few milliseconds of work in a long list.
  static let changesAtOnce = 512
}

// MARK: - An asynchronous sequence

extension FileSystemItemList {
  /// The changes of a list as an asynchronous sequence, which updates the list.
  ///
  /// ```swift
  /// for await changes in list.updates() { table.apply(changes) }
  /// ```
  public struct Updates: AsyncSequence {
    /// The type of the elements.
    public typealias Element = Changes
    /// The sequence ends without an error.
    public typealias Failure = Never

    let list: FileSystemItemList

    /// Makes an iterator; each gets all changes from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(list) }

    /// An iterator over the changes of a list.
    public struct Iterator: AsyncIteratorProtocol {
      private let list: FileSystemItemList
      private let queue: ChangesQueue

      init(_ list: FileSystemItemList) {
        let queue = ChangesQueue()
        self.list = list
        self.queue = queue
        queue.registration = list.blocks.add { [weak queue] in queue?.add($0.1, to: $0.0) }
      }

      /// Waits until something has happened, and updates the list.
      ///
      /// - Returns: The changes; `nil` if the task is cancelled or the observer is deallocated.
      public mutating func next() async -> Changes? { await next(isolation: #isolation) }

      /// Waits until something has happened, and updates the list.
      ///
      /// Changes that the list has taken in meanwhile, in other iterators or in ``FileSystemItemList/update()``, are
      /// returned as one: afterwards, a table that has applied them agrees with the list.
      ///
      /// - Parameter actor: The actor that the list belongs to.
      /// - Returns: The changes; `nil` if the task is cancelled or the observer is deallocated.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Changes? {
        while !Task.isCancelled {
          if queue.changes == nil { list.update() }
          if let changes = queue.changes.take() { return changes }
          if await !list.feed.waitForNews() { break }
        }
        queue.registration?.end()
        return nil
      }
    }
  }

  /// The changes of the rows from now on; each `next()` updates the list.
  public func updates() -> Updates { Updates(list: self) }
}

extension FileSystemItemList {
  /// Changes and later ones as one, right after the later ones.
  func merged(_ earlier: Changes, _ later: Changes) -> Changes {
    earlier.followed(by: later, count: model.rows.count) { model.tree.id(of: model.rows[$0]) }
  }
}

/// The changes that an iterator has not returned yet.
final class ChangesQueue {
  var changes: FileSystemItemList.Changes?
  var registration: LiveRegistration?

  func add(_ later: FileSystemItemList.Changes, to list: FileSystemItemList) {
    let merged = changes.map { list.merged($0, later) } ?? later
    // What has come and gone again is nothing.
    changes = merged.isEmpty && !merged.isReset ? nil : merged
  }

  deinit {
    registration?.end()
  }
}

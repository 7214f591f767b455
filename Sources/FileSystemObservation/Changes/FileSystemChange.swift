public import FoundationEssentials
public import SystemPackage

/// One thing that happened to one item.
///
/// The README's table of changes says which situation leads to which event.
public struct FileSystemChange: Sendable, Hashable, Identifiable, Codable {
  /// What happened.
  @nonexhaustive
  public enum Event: Sendable, Hashable, Codable {
    /// The item is new here. While `isCopying` is set it is still being written, and `copyFinished` follows. With
    /// `isReturned`, an item with this UUID was deleted before, and is back.
    case discovered(isCopying: Bool, isReturned: Bool)
    /// The file is complete. Announced once for every file that arrives while observing, in whichever way: also for one
    /// that `touch` made.
    case copyFinished
    /// The content or its time of modification changed: written in place, replaced by a save, or touched. The UUID
    /// stays. Announced when the file rests; while it does not, also every
    /// ``FileSystemObserver/Configuration/modificationInterval``.
    case modified
    /// The item has another name in the same directory.
    case renamed(from: FilePath)
    /// The item is in another directory; its name may differ, too.
    case moved(from: FilePath)
    /// The item is a copy of another that still exists. It has a UUID of its own.
    case duplicated(of: Original)
    /// The file has a further name (hard link).
    case linked
    /// One of several names of a file is gone; the file has others.
    case unlinked
    /// The item is gone.
    case deleted(DeletionReason)
    /// Permissions, owner or extended attributes changed: see ``FileSystemObserver/Details/attributes``.
    case attributesChanged(ChangedAttributes)
    /// Something happens to the item, and what it is will be known in a moment: see
    /// ``FileSystemObserver/Details/activity``.
    case activity
  }

  /// The events without their values: for filters, and in the JSON lines of the command line tool.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// ``FileSystemChange/Event/discovered(isCopying:isReturned:)``
    case discovered
    /// ``FileSystemChange/Event/copyFinished``
    case copyFinished
    /// ``FileSystemChange/Event/modified``
    case modified
    /// ``FileSystemChange/Event/renamed(from:)``
    case renamed
    /// ``FileSystemChange/Event/moved(from:)``
    case moved
    /// ``FileSystemChange/Event/duplicated(of:)``
    case duplicated
    /// ``FileSystemChange/Event/linked``
    case linked
    /// ``FileSystemChange/Event/unlinked``
    case unlinked
    /// ``FileSystemChange/Event/deleted(_:)``
    case deleted
    /// ``FileSystemChange/Event/attributesChanged(_:)``
    case attributesChanged
    /// ``FileSystemChange/Event/activity``
    case activity
  }

  /// What changed of an item besides its name and its content.
  public struct ChangedAttributes: Sendable, Hashable, Codable {
    /// Whether the permissions changed (chmod(2)).
    public let permissions: Bool
    /// Whether the owner or the group changed (chown(2)).
    public let owner: Bool
    /// The names of the extended attributes that were set, changed or removed, in order.
    ///
    /// For example `user.xdg.tags`, or `system.posix_acl_access`. The tag with the UUID is never among them.
    public let names: [String]

    /// Makes a value, for tests.
    public init(permissions: Bool = false, owner: Bool = false, names: [String] = []) {
      self.permissions = permissions
      self.owner = owner
      self.names = names
    }
  }

  /// The item that another is a copy of.
  public struct Original: Sendable, Hashable, Codable {
    /// Its identity.
    public let uuid: UUID
    /// Where it is.
    public let path: FilePath

    /// Makes an original, for tests.
    public init(uuid: UUID, path: FilePath) {
      self.uuid = uuid
      self.path = path
    }
  }

  /// Tells apart the changes of one set.
  public struct ID: Sendable, Hashable {
    /// The item.
    public let item: FileSystemItem.Snapshot.ID
    /// What happened to it.
    public let kind: Kind
  }

  /// What happened.
  public let event: Event
  /// The item as it is after the change; after `deleted` and `unlinked`, as it was before.
  public let item: FileSystemItem.Snapshot

  /// Makes a change, for tests.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - item: The item as it is after the change, or was before it where it is gone.
  public init(_ event: Event, _ item: FileSystemItem.Snapshot) {
    self.event = event
    self.item = item
  }
}

extension FileSystemChange {
  /// What happened, without its values.
  public var kind: Kind { event.kind }

  /// The item's identity.
  public var uuid: UUID { item.uuid }

  /// Where the item is after the change; after `deleted` and `unlinked`, where it was before.
  public var path: FilePath { item.path }

  /// Unique within one set of changes.
  public var id: ID { ID(item: item.id, kind: kind) }

  /// Where the item was before, for `renamed` and `moved`.
  public var previousPath: FilePath? {
    switch event {
    case .renamed(let path), .moved(let path): path
    default: nil
    }
  }

  /// The item that this one is a copy of, for `duplicated`.
  public var original: Original? {
    if case .duplicated(let original) = event { original } else { nil }
  }

  /// Why the item is gone, for `deleted`.
  public var deletionReason: DeletionReason? {
    if case .deleted(let reason) = event { reason } else { nil }
  }

  /// What changed, for `attributesChanged`.
  public var changedAttributes: ChangedAttributes? {
    if case .attributesChanged(let attributes) = event { attributes } else { nil }
  }

  /// Whether the item was deleted before and is back, for `discovered`.
  public var isReturned: Bool {
    if case .discovered(_, let isReturned) = event { isReturned } else { false }
  }
}

extension FileSystemChange.Event {
  /// The event without its values.
  public var kind: FileSystemChange.Kind {
    switch self {
    case .discovered: .discovered
    case .copyFinished: .copyFinished
    case .modified: .modified
    case .renamed: .renamed
    case .moved: .moved
    case .duplicated: .duplicated
    case .linked: .linked
    case .unlinked: .unlinked
    case .deleted: .deleted
    case .attributesChanged: .attributesChanged
    case .activity: .activity
    }
  }
}

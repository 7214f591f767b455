public import FoundationEssentials
public import SystemPackage

/// One change of one item.
///
/// The table in Documentation/Announcements.md maps each situation to its event.
public struct FileSystemChange: Sendable, Hashable, Identifiable, Codable {
  /// What happened to the item.
  @nonexhaustive
  public enum Event: Sendable, Hashable, Codable {
    /// The item is new here.
    ///
    /// While `isCopying` is true a program is still writing it, and `copyFinished` follows. `isReturned` means that an
    /// item with this UUID was deleted before, and is back.
    case discovered(isCopying: Bool, isReturned: Bool)
    /// The file is complete.
    ///
    /// Announced once for every file that arrives during observation, in whichever way, for example also for a file
    /// made by `touch`. For a directory it is announced only to listeners that ask for it, when everything that came
    /// with it is complete; see ``FileSystemObserver/Details/folderArrivals``.
    case copyFinished
    /// The content or its modification time changed: by a write in place, a save by replacement, or a touch.
    ///
    /// The UUID stays the same. Announced when the file is quiet; until then also every
    /// ``FileSystemObserver/Configuration/modificationInterval``.
    case modified
    /// The item has a new name in the same directory. The path is absolute.
    case renamed(from: FilePath)
    /// The item is in another directory, perhaps under a new name. The path is absolute.
    case moved(from: FilePath)
    /// The item is a copy of another existing item, and has a UUID of its own.
    ///
    /// It may have been `discovered` before with the same UUID: a program that copies something big gives the copy its
    /// tag at the end. What an app keeps of the original is to be copied now.
    case duplicated(of: Original)
    /// The file has a further name (hard link).
    case linked
    /// One of several names of the file was removed; the file has others.
    case unlinked
    /// The item was deleted.
    case deleted(DeletionReason)
    /// Permissions, owner or extended attributes changed; see ``FileSystemObserver/Details/attributes``.
    case attributesChanged(ChangedAttributes)
    /// A change of the item has begun, and its kind is not known yet; see ``FileSystemObserver/Details/activity``.
    case activity
    /// The size, the number of children or of names, the modification time, or whether the item is tagged changed
    /// without a change of the tree; see ``FileSystemObserver/Details/properties``.
    case propertiesChanged
  }

  /// The events without their values, for filters and for the JSON lines of the command line tool.
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
    /// ``FileSystemChange/Event/propertiesChanged``
    case propertiesChanged
  }

  /// The changed attributes of an item.
  public struct ChangedAttributes: Sendable, Hashable, Codable {
    /// Whether the permissions changed (chmod(2)).
    public let permissions: Bool
    /// Whether the owner or the group changed (chown(2)).
    public let owner: Bool
    /// The names of the extended attributes that were set, changed or removed, in order.
    ///
    /// For example `user.xdg.tags` or `system.posix_acl_access`. Never the tag with the UUID.
    public let names: [String]

    /// Makes a value, for tests.
    public init(permissions: Bool = false, owner: Bool = false, names: [String] = []) {
      self.permissions = permissions
      self.owner = owner
      self.names = names
    }
  }

  /// The original of a copy.
  public struct Original: Sendable, Hashable, Codable {
    /// The UUID of the original.
    public let uuid: UUID
    /// The path of the original.
    public let path: FilePath

    /// Makes an original, for tests.
    public init(uuid: UUID, path: FilePath) {
      self.uuid = uuid
      self.path = path
    }
  }

  /// The identity of a change within its set.
  public struct ID: Sendable, Hashable {
    /// The ID of the item.
    public let item: FileSystemItem.Snapshot.ID
    /// The kind of the change.
    public let kind: Kind
  }

  /// Who made a change.
  @nonexhaustive
  public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    /// An operation of the observer, for example ``FileSystemObserver/renameItem(at:to:notifying:)``.
    case thisProcess
    /// Another program, or this process without an operation of the observer.
    case other
    /// Found by a scan, so that nobody saw it happen.
    case unknown
  }

  /// What happened to the item.
  public let event: Event
  /// The item after the change; after `deleted` and `unlinked`, as it was before.
  public let item: FileSystemItem.Snapshot
  /// Who made the change.
  public let origin: Origin

  /// Makes a change, for tests.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - item: The item after the change; for `deleted` and `unlinked`, as it was before.
  ///   - origin: Who made the change.
  public init(_ event: Event, _ item: FileSystemItem.Snapshot, origin: Origin = .other) {
    self.event = event
    self.item = item
    self.origin = origin
  }
}

extension FileSystemChange {
  /// The event without its values.
  public var kind: Kind { event.kind }

  /// The item's UUID.
  public var uuid: UUID { item.uuid }

  /// The path of the item after the change; after `deleted` and `unlinked`, the path before.
  public var path: FilePath { item.path }

  /// The identity of the change, unique within its set.
  public var id: ID { ID(item: item.id, kind: kind) }

  /// The previous path of the item, which is absolute; for `renamed` and `moved`.
  public var previousPath: FilePath? {
    switch event {
    case .renamed(let path), .moved(let path): path
    default: nil
    }
  }

  /// The original of the item; for `duplicated`.
  public var original: Original? {
    if case .duplicated(let original) = event { original } else { nil }
  }

  /// The reason for the deletion; for `deleted`.
  public var deletionReason: DeletionReason? {
    if case .deleted(let reason) = event { reason } else { nil }
  }

  /// The changed attributes; for `attributesChanged`.
  public var changedAttributes: ChangedAttributes? {
    if case .attributesChanged(let attributes) = event { attributes } else { nil }
  }

  /// Whether the item was deleted before and is back; for `discovered`.
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
    case .propertiesChanged: .propertiesChanged
    }
  }
}

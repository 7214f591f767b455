internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// Finds a file again, wherever it went: renamed, moved, saved by an editor, while the app ran or not.
///
/// ```swift
/// let bookmark = try FileBookmark(forFileAt: "/home/me/Documents/letter.odt")
/// defaults.set("\(bookmark)", forKey: "last document")
/// // A year later:
/// let resolution = try await bookmark.resolve(in: [.folder("/home/me")])
/// open(resolution.path)
/// if resolution.isStale { defaults.set("\(resolution.bookmark)", forKey: "last document") }
/// ```
///
/// A bookmark is a small immutable value: the UUID of a file, folder or symbolic link, its path, and what tells its inode
/// from all others. Its text is one line without spaces, with a checksum. It needs no observer and no tag.
///
/// It grants nothing: whoever can write a file can give it any UUID.
public struct FileBookmark: Sendable, Hashable {
  /// The UUID of the item: the one in its tag, or the one that was computed from its inode.
  public let uuid: UUID
  /// The absolute path when the bookmark was made.
  public let lastKnownPath: FilePath
  /// The kind of the item.
  public let kind: FileSystemItem.Kind
  /// The basis of the UUID when the bookmark was first made; a tag may be lost since.
  public let identity: FileSystemItem.IdentityKind

  /// The name of the extended attribute with the UUID.
  let tagName: String
  /// What was known of the inode.
  let traits: FileTraits

  /// The attribute of all apps that choose no other.
  static let usualTagName = FileTag.defaultName

  init(
    uuid: UUID, path: FilePath, kind: FileSystemItem.Kind, identity: FileSystemItem.IdentityKind,
    tagName: String = usualTagName, traits: FileTraits
  ) {
    self.uuid = uuid
    lastKnownPath = path
    self.kind = kind
    self.identity = identity
    self.tagName = tagName
    self.traits = traits
  }

  /// Makes the bookmark of what a look has found.
  ///
  /// - Parameters:
  ///   - uuid: The UUID by which the item is known, if that is not its own.
  ///   - wasTagged: Whether that UUID was in the item's tag before.
  init(_ look: FileLook, knownAs uuid: UUIDBits? = nil, wasTagged: Bool = false, tagName: String) {
    let known = uuid ?? look.tag.uuid ?? look.computedUUID
    let isTagged = look.tag.uuid == known
    self.init(
      uuid: UUID(known), path: look.path, kind: FileSystemItem.Kind(look.kind),
      identity: isTagged || wasTagged ? .tag : .inode, tagName: tagName, traits: FileTraits(look, isTagged: isTagged))
  }
}

extension FileBookmark {
  /// ``lastKnownPath`` as a file URL; a path that is not UTF-8 has no faithful URL.
  public var lastKnownURL: URL { URL(lastKnownPath, kind) }
}

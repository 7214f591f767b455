internal import FileIdentity
package import FoundationEssentials
public import SystemPackage

extension FileBookmark {
  /// A place where the file of a bookmark may be.
  ///
  /// The product `ObservationStore` adds `store(_:)`.
  public struct Place: Sendable {
    enum Kind: Sendable {
      case folder(FilePath)
      case source(any BookmarkSource)
    }

    let kind: Kind

    private init(_ kind: Kind) {
      self.kind = kind
    }

    /// A place that knows files by their UUIDs.
    package init(_ source: some BookmarkSource) {
      self.init(.source(source))
    }

    /// A folder with everything below it, hidden items included; symbolic links in it are not followed.
    ///
    /// - Parameter path: The path; a relative one begins at the working directory.
    public static func folder(_ path: FilePath) -> Place { Place(.folder(path)) }

    /// The tree of an observer.
    ///
    /// A running observer is asked, and its folder searched only if the file is no longer where the observer has it. What
    /// it leaves out, such as hidden items, is not found. The folder of an observer that does not run is searched.
    public static func observer(_ observer: FileSystemObserver) -> Place { Place(ObserverSource(observer)) }
  }
}

/// The file of a bookmark, as it is looked up in a tree.
package struct SoughtFile: Sendable {
  let uuid: UUIDBits
  /// Whether the UUID was in a tag.
  let isTagged: Bool
  let traits: FileTraits
  let path: FilePath

  package var id: UUID { UUID(uuid) }
}

/// What knows files by their UUIDs.
package protocol BookmarkSource: Sendable {
  /// What it knows of a file; may block on the disk.
  func knowledge(of file: SoughtFile) throws(FileBookmarkError) -> BookmarkKnowledge
}

/// What a tree knows of the file of a bookmark.
package struct BookmarkKnowledge: Sendable {
  /// The file in the tree, by its UUID; if the bookmark was made of a file without a tag, also by its inode.
  struct File: Sendable {
    var path: FilePath
    var inode: UInt64
    var born: Int64
  }

  var file: File?
  /// The identity that the file has now, if it was a copy that its original has taken over.
  var heir: UUIDBits?
  /// Whether it has another item at the last known path, or knows that the file was deleted: what is there is another.
  package var hasOtherAtPath = false
  var directory: FilePath
  /// Whether it knows everything that is there now, so that a search can find no more.
  var isPresent: Bool

  package var isFileKnown: Bool { file != nil }
}

public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// What to observe, and how.
  ///
  /// ```swift
  /// var configuration = FileSystemObserver.Configuration(directory: "/home/me/Notes")
  /// configuration.excludedPatterns = ["*.tmp", "/Inbox", "build/"]
  /// let observer = FileSystemObserver(configuration)
  /// ```
  ///
  /// The defaults suit a document app. A value that cannot be used is refused by ``FileSystemObserver/start()``, with
  /// an error that says what is wrong with it.
  public struct Configuration: Sendable, Hashable {
    /// The directory to observe: an absolute path, which need not be UTF-8.
    ///
    /// `.` and `..` are resolved without looking at the disk when observation starts.
    public var directory: FilePath {
      didSet { unusableURL = nil }
    }

    /// Patterns of items that are not observed, each a line as in gitignore(5).
    ///
    /// Empty at first. `*.tmp` matches on every level, `/Inbox` and `notes/drafts` from the directory on, `build/`
    /// matches directories only, and `**` any number of levels. Of several patterns that match, the last counts;
    /// `!keep.tmp` is an exception from those before it. What is below an excluded directory is excluded, too, whatever
    /// else matches it.
    public var excludedPatterns: [String] = []

    /// Patterns of the files and symbolic links that are observed, in the same form; with none, all are.
    ///
    /// What is below a directory that matches is observed, too. Directories are observed wherever they are, unless they
    /// are excluded: something that matches may be below.
    public var includedPatterns: [String] = []

    /// How many levels of directories below the directory are observed: 0 for its own items only, `nil` for all.
    ///
    /// Not negative.
    public var depth: Int?

    /// Whether names that begin with a dot are observed.
    public var includesHiddenItems = false

    /// When items are given a tag.
    public var tagging = Tagging.always

    /// Whether files and folders are tagged that are only in a lower layer of an overlay file system (a container's
    /// image, a live system).
    ///
    /// To write a tag to such a file copies all of it into the upper layer: the first scan then takes as much time and
    /// room as copying the tree. Without, they are known by their inode. They are tagged when they are changed while
    /// they are observed: whatever changes them copies them into the upper layer anyway.
    public var tagsFilesOfLowerLayers = false

    /// The name of the extended attribute with the UUID: it begins with `user.` and has at most 255 bytes.
    ///
    /// Apps that use the same name share the identities of files.
    public var tagName = "user.fsobserver.uuid"

    /// Where events come from.
    public var backend = Backend.automatic

    /// Whether fanotify covers whole file systems where that is permitted.
    package var usesPrivilege = true

    /// How long a name may be missing before its item counts as deleted: 0 to 3600 seconds.
    ///
    /// Programs that save remove a document for a moment: the longest on record took 356 ms.
    public var deletionDelay = Duration.milliseconds(500)

    /// How long a file must rest after its last writer closed it before it counts as complete: 0 to 3600 seconds.
    public var quietPeriod = Duration.milliseconds(700)

    /// How long a new file may be written before it is announced as being copied: 0 to 3600 seconds.
    public var announcementDelay = Duration.seconds(1)

    /// How often `modified` is announced for a document that does not rest: a log, or a note that is saved while one
    /// types.
    ///
    /// 0 to 3600 seconds; less than ``quietPeriod`` counts as that.
    ///
    /// It is announced once more when the document rests, and not at all while that is announced as being copied.
    public var modificationInterval = Duration.seconds(8)

    /// How often the progress of a full scan is announced at most.
    package var progressInterval = Duration.milliseconds(250)

    /// Which names say something about a file: that it is a backup, or not complete.
    public var namePatterns = NamePatterns()

    /// What to do when the observed directory itself is lost.
    public var rootLossPolicy = RootLossPolicy.end

    /// Whether a line on standard error says so when an observer is started to which nobody listens.
    ///
    /// That is a mistake nearly always: the token was not kept. Switch it off where look-ups are all you want.
    public var warnsWithoutListeners = true

    /// The URL that was given for the directory, and is none that can be used.
    var unusableURL: URL?

    /// The configuration for the user's documents folder: `XDG_DOCUMENTS_DIR` of xdg-user-dirs, or `~/Documents`.
    public init() {
      self.init(directory: UserEnvironment.documents)
    }

    /// The configuration for a directory, which need not exist until observation starts.
    ///
    /// - Parameter directory: An absolute path.
    public init(directory: FilePath) {
      self.directory = directory
    }

    /// The configuration for a directory, which need not exist until observation starts.
    ///
    /// - Parameter directory: A file URL. Any other, one of another machine, and one with an empty path are refused by
    ///   ``FileSystemObserver/start()``. A path relative to the working directory is resolved when the URL is made, and
    ///   not again.
    public init(directory: URL) {
      self.directory = FilePath()
      do throws(UnusableURL) {
        self.directory = try FilePath(directory)
      } catch {
        unusableURL = directory
      }
    }
  }

  /// When items are given a tag.
  @nonexhaustive
  public enum Tagging: String, Sendable, Hashable, Codable, CaseIterable {
    /// When they are found, and complete.
    case always
    /// When somebody asks for their UUID, or when they change: their contents, or all of them as by a save. A new item
    /// counts as changed.
    ///
    /// To ask is to call ``FileSystemObserver/uuid(forItemAt:)-(FilePath)``, or to look an item up by its path, while
    /// the observer runs. The tag is written a moment later. Until then the identity rests on the inode, and does not
    /// survive a save by replacement that nobody saw. So an app that keeps something for a few documents only leaves
    /// all others as they are.
    case whenAsked
    /// Never. Identities rest on inodes, and on tags that exist already.
    case never
  }

  /// What to do when the observed directory itself is removed, moved away or unmounted.
  @nonexhaustive
  public enum RootLossPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Observation ends with ``FileSystemObserver/Event/didEnd(_:)``.
    case end
    /// Observation waits. As soon as the same directory is at the path again, the whole tree is scanned. It is looked
    /// for once a second.
    ///
    /// It is the same by its inode, or by its tag and owner, and it is reached without a symbolic link. Anything else
    /// leads once to the diagnostic ``FileSystemObserver/Diagnostic/Code/rootReplaced``, and is not looked into.
    case waitForReturn
    /// A directory that is renamed or moved is observed where it is then, which
    /// ``FileSystemObserver/Event/rootMoved(from:to:)`` announces, and no item of it is announced as changed. One that
    /// is removed or unmounted ends observation.
    case follow
  }

  /// Where events come from.
  @nonexhaustive
  public enum Backend: String, Sendable, Hashable, Codable, CaseIterable {
    /// What suits the file system: fanotify where the kernel (5.17 and newer) has it, otherwise inotify, and polling
    /// where others may change files without this kernel's knowing (NFS, SMB, 9p, sshfs and other FUSE). The mounts of
    /// one tree may differ.
    case automatic
    /// fanotify only (kernel 5.17 and newer): a folder on a file system without it is not observed, and a diagnostic
    /// says so. With the capability CAP_SYS_ADMIN it covers whole file systems instead of single folders.
    case fanotify
    /// inotify only.
    case inotify
    /// Looking again and again, half a second to half a minute apart, whatever the file system.
    case polling
  }
}

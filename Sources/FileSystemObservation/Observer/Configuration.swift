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
  /// The defaults suit a document app. ``FileSystemObserver/start()`` rejects an unusable value, with an error that
  /// names the reason.
  public struct Configuration: Sendable, Hashable {
    /// The directory to observe: an absolute path, which need not be UTF-8.
    ///
    /// `.` and `..` are resolved lexically at the start. Of several ``directories``, one that they are all below.
    public var directory: FilePath {
      didSet { unusableURL = nil }
    }

    /// The directories to observe, if they are several; otherwise ``directory`` alone.
    ///
    /// See ``init(directories:)``. Set these, and ``directory`` becomes the nearest directory that they are all below,
    /// unless they are below it already.
    public var directories: [FilePath] {
      get { selectedDirectories.isEmpty ? [directory] : selectedDirectories }
      set { select(newValue) }
    }

    /// Empty, unless several directories are observed.
    var selectedDirectories: [FilePath] = []

    /// Patterns of items that are not observed, each a line as in gitignore(5).
    ///
    /// Empty by default. `*.tmp` matches on every level, `/Inbox` and `notes/drafts` from the directory on, `build/`
    /// only directories, and `**` any number of levels. The last matching pattern counts; `!keep.tmp` is an exception
    /// from those before it. Everything below an excluded directory is excluded, even if another pattern matches it.
    public var excludedPatterns: [String] = []

    /// Patterns of the files and symbolic links that are observed, in the same form; if empty, all are.
    ///
    /// Everything below a matching directory is observed, too. All directories are observed unless they are excluded,
    /// because a matching item may be below.
    public var includedPatterns: [String] = []

    /// The number of observed directory levels below the directory: 0 for its own items only, `nil` for all.
    ///
    /// Must not be negative.
    public var depth: Int?

    /// Whether items whose names begin with a dot are observed.
    public var includesHiddenItems = false

    /// When the observer tags items.
    public var tagging = Tagging.always

    /// Whether items that exist only in a lower layer of an overlay file system are tagged.
    ///
    /// A container's image and a live system are such layers. Writing a tag copies the whole file into the upper layer,
    /// so the first scan takes as much time and space as copying the tree. If false, these items are identified by
    /// their inode. The observer tags them when a program changes them, which copies them into the upper layer anyway.
    public var tagsFilesOfLowerLayers = false

    /// The name of the extended attribute with the UUID: it begins with `user.` and has at most 255 bytes.
    ///
    /// Apps with the same name share the identities of files.
    public var tagName = "user.fsobserver.uuid"

    /// The source of events.
    public var backend = Backend.automatic

    /// Whether fanotify covers whole file systems if the process has the privilege.
    package var usesPrivilege = true

    /// How long a name may be missing before the item's deletion is announced: 0 to 3600 seconds.
    ///
    /// Programs remove a document for a moment while they save it: 356 ms in the longest measured case. With 0, a
    /// deletion is announced after the next look, a millisecond later; then such a save may be announced as a deletion.
    public var deletionDelay = Duration.milliseconds(500)

    /// How long a file must stay unchanged after its last writer closed it to count as complete: 0 to 3600 seconds.
    ///
    /// With 0, it counts as complete at the next look, a millisecond later.
    public var quietPeriod = Duration.milliseconds(700)

    /// How long a new file may be written before it is announced as being copied: 0 to 3600 seconds.
    public var announcementDelay = Duration.seconds(1)

    /// The interval at which `modified` is announced for a document that keeps changing: 0 to 3600 seconds.
    ///
    /// Such a document is a log, or a note saved while the user types. A value below ``quietPeriod`` counts as
    /// ``quietPeriod``.
    ///
    /// `modified` is announced once more when the document is quiet, and not while the document is announced as being
    /// copied.
    public var modificationInterval = Duration.seconds(8)

    /// The shortest time between two reports of the progress of a full scan.
    package var progressInterval = Duration.milliseconds(250)

    /// Whether contents of files are evidence of identity, for files that have lost their tags.
    ///
    /// It needs a store; see ``ContentEvidence`` for what it finds, and what it costs.
    public var contentEvidence = ContentEvidence.off

    /// The size in bytes up to which ``ContentEvidence/documents`` reads files: 64 or more, by default 16 MiB.
    public var contentEvidenceLimit = 16 << 20

    /// How long nothing must have happened before contents are read that no decision waits for.
    package var contentDelay = Duration.seconds(5)

    /// Name patterns for backups, incomplete files and temporary files.
    public var namePatterns = NamePatterns()

    /// What the observer does when the observed directory itself is lost.
    public var rootLossPolicy = RootLossPolicy.end

    /// Whether the observer writes a line to standard error if it is started and has no listener a second later.
    ///
    /// A missing listener is nearly always a mistake: the token was not kept. Set this to false if you need only
    /// look-ups.
    public var warnsWithoutListeners = true

    /// Whether the observer keeps its last steps for ``FileSystemObserver/flightRecording(hidingNames:)``.
    ///
    /// They take about two megabytes of memory at most, a few milliseconds of the first scan at most, and hardly any
    /// time after that.
    public var keepsFlightRecording = false

    /// The URL given for the directory, if it is unusable.
    var unusableURL: URL?

    /// Makes the configuration for the user's documents folder: `XDG_DOCUMENTS_DIR` of xdg-user-dirs, or `~/Documents`.
    public init() {
      self.init(directory: UserEnvironment.documents)
    }

    /// Makes the configuration for a directory, which need not exist until the start.
    ///
    /// - Parameter directory: An absolute path.
    public init(directory: FilePath) {
      self.directory = directory
    }

    /// Makes the configuration for several directories as one space of identities.
    ///
    /// One observer observes them, with one sequence of events, one cursor and one store. An item that moves from one to
    /// another is `moved`, and a copy in another is `duplicated`. They may be on different file systems, and need not
    /// exist: what comes is discovered.
    ///
    /// The tree begins at ``directory``, the nearest directory that they are all below. The folders on the way from there
    /// are items as well, but get no tags, and nothing else in them is observed. They must be readable. Patterns begin at
    /// each of the directories; ``depth`` must be `nil`.
    ///
    /// - Parameter directories: Absolute paths without symbolic links, at least one. One that is below another adds
    ///   nothing.
    public init(directories: [FilePath]) {
      self.init(directory: FilePath())
      select(directories)
    }

    /// Makes the configuration for a directory, which need not exist until the start.
    ///
    /// - Parameter directory: A file URL. ``FileSystemObserver/start()`` rejects any other URL, a URL of another
    ///   machine and one with an empty path. A path relative to the working directory is resolved once, when the URL is
    ///   made.
    public init(directory: URL) {
      self.directory = FilePath()
      do throws(UnusableURL) {
        self.directory = try FilePath(directory)
      } catch {
        unusableURL = directory
      }
    }
  }

  /// When the observer tags items.
  @nonexhaustive
  public enum Tagging: String, Sendable, Hashable, Codable, CaseIterable {
    /// When the observer has found them and they are complete.
    case always
    /// When a program asks for their UUID, or when they change.
    ///
    /// A change of the contents, a save by replacement and the creation of an item all count. A program asks by calling
    /// ``FileSystemObserver/uuid(forItemAt:)-(FilePath)`` or by looking an item up by its path while the observer runs.
    /// The tag is written a moment later. Until then the identity rests on the inode, and does not survive an
    /// unobserved save by replacement. An app that keeps data for a few documents thus leaves all others untouched.
    case whenAsked
    /// Never. Identities rest on inodes and on existing tags.
    case never
  }

  /// What the observer does when the observed directory itself is removed, moved away or unmounted.
  @nonexhaustive
  public enum RootLossPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Observation ends with ``FileSystemObserver/Event/didEnd(_:)``.
    case end
    /// Observation waits, looks for the directory once a second, and scans the whole tree when it is back at the path.
    ///
    /// The directory is the same if its inode is, or its tag and owner are, and no symbolic link leads to it. Any other
    /// item at the path leads once to the diagnostic ``FileSystemObserver/Diagnostic/Code/rootReplaced``; its contents
    /// are not read.
    ///
    /// The directory may be away at the start already: see ``FileSystemObserver/start()``.
    case waitForReturn
    /// Observation follows a renamed or moved directory to its new path.
    ///
    /// ``FileSystemObserver/Event/rootMoved(from:to:)`` announces that; no item in it is announced as changed. Removing
    /// or unmounting the directory ends observation.
    case follow
  }

  /// The source of events.
  @nonexhaustive
  public enum Backend: String, Sendable, Hashable, Codable, CaseIterable {
    /// The best source for each file system: fanotify (Linux 5.17 and newer), otherwise inotify.
    ///
    /// Polling is used where other machines or programs may change files without this kernel's knowledge: NFS, SMB, 9p,
    /// sshfs and other FUSE. The mounts of one tree may have different sources.
    case automatic
    /// fanotify only (Linux 5.17 and newer).
    ///
    /// A folder on a file system without fanotify is not observed, and a diagnostic announces that. With the capability
    /// CAP_SYS_ADMIN fanotify covers whole file systems instead of single folders.
    case fanotify
    /// inotify only.
    case inotify
    /// Polling on every file system, every half second to half a minute.
    case polling
  }
}

internal import FileEvents
internal import SystemPackage

/// How an observer works.
///
/// The defaults suit a document app.
public struct ObservationOptions: Sendable, Hashable {
  /// What to do when the observed directory itself is removed, moved away or unmounted.
  public enum RootLoss: Sendable, Hashable {
    /// Observation ends with ``ObservationNotification/didEnd(_:)``.
    case end
    /// Observation waits; as soon as the same directory is at the path again, the whole tree is scanned. It is looked for once a second.
    ///
    /// It is the same by its inode, or by its tag and owner, and it is reached without a symbolic link. Anything else is told once with
    /// the diagnostic ``Diagnostic/Code/rootReplaced``, and is not looked into.
    case waitForReturn
  }

  /// Where events come from.
  public enum Source: Sendable, Hashable {
    /// What suits the file system: fanotify where the kernel (5.17 and newer) has it, otherwise inotify, and polling where others may
    /// change files without this kernel's knowing (NFS, SMB, 9p, sshfs and other FUSE). The mounts of one tree may differ.
    case automatic
    /// fanotify only (kernel 5.17 and newer): a folder on a file system without it is not observed, and the app is told. With the
    /// capability CAP_SYS_ADMIN it covers whole file systems instead of single folders.
    case fanotify
    /// inotify only.
    case inotify
    /// Looking again and again, half a second to half a minute apart, whatever the file system.
    case polling
  }

  /// Where events come from.
  public var source = Source.automatic
  /// Whether fanotify covers whole file systems where that is permitted.
  package var usesPrivilege = true
  /// Whether names that begin with a dot are observed.
  public var includesHiddenItems = false
  /// Whether tags are written.
  ///
  /// Without, identities rest on the inode and on tags that are there already.
  public var writesTags = true
  /// Whether files and folders that are only in a lower layer of an overlay file system (a container's image, a live system) are tagged.
  ///
  /// To write a tag to such a file copies all of it into the upper layer: the first scan then takes as much time and room as copying the
  /// tree. Without, they are known by their inode, and are tagged when they are changed while they are observed; changed by whatever
  /// program, they are in the upper layer anyway.
  public var tagsLowerFiles = false
  /// The name of the extended attribute, in the `user.` name space; at most 255 bytes.
  public var tagName = "user.fsobserver.uuid"
  /// "Gone: is it back?" How long a name may be missing before its item counts as deleted; at most an hour, like the
  /// other windows.
  public var settleWindow = Duration.milliseconds(500)
  /// "Closed: is it finished?" How long a file must rest after its last writer closed it.
  public var quietPeriod = Duration.milliseconds(700)
  /// "Unfinished: worth announcing?" How long a new file may be written before it is announced as copying.
  public var flashGuard = Duration.seconds(1)
  /// "Written all the time: what of it?" How often a document is told as modified that does not rest: a log, a download that goes on, a
  /// note that is saved while one types.
  ///
  /// Between 0 and 3600 seconds, and never less than the quiet period. It is told once more when it rests, and not at all while it is
  /// announced as copying.
  public var modificationInterval = Duration.seconds(8)
  /// Which names say something about a file.
  public var namePatterns = NamePatterns()
  /// What to do when the observed directory is lost.
  public var rootLoss = RootLoss.end
  /// How many changes a listener may be behind before it is told to rescan.
  ///
  /// One that is not behind is told of any change set, also of one with more changes. At least 0, which counts as 1.
  public var listenerBufferLimit = 65_536
  /// Whether a line on standard error says so when an observer is started to which nobody listens.
  ///
  /// That is a mistake nearly always, as when a token was not kept. Switch it off where look-ups are all you want.
  public var warnsWithoutListeners = true

  /// The defaults.
  public init() {}
}

extension ObservationOptions {
  func makeSource(_ files: GuardedFileSystem, _ wait: EventWait) throws(Errno) -> TreeSource<GuardedFileSystem> {
    let choice: TreeSource<GuardedFileSystem>.Choice =
      switch source {
      case .automatic: .automatic
      case .fanotify: .kernel(.fanotify)
      case .inotify: .kernel(.inotify)
      case .polling: .polling
      }
    return try TreeSource(choice, files, coverage: usesPrivilege ? .fileSystems : .directories, wait)
  }
}

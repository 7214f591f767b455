internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// What a directory, its file systems and the kernel offer to an observer, and what is missing.
  ///
  /// ``FileSystemObserver/examine(_:includesHiddenItems:tagName:)`` makes it. It is a value: it stays as it was found.
  public struct Examination: Sendable, Hashable, Codable {
    /// Items of one kind that are left out, or without a tag.
    public struct Group: Sendable, Hashable, Codable {
      /// How many there are.
      public internal(set) var count = 0
      /// What the system said of the first.
      public internal(set) var errno: Errno?
      var first: EncodedPath?

      /// The first that was met; `nil` where there is none.
      public var path: FilePath? { first?.path }

      init() {}
    }

    /// A working tree of git: there a tag makes a file look changed until the next `git status`, unless git is told not
    /// to look at the ctime.
    public struct WorkingTree: Sendable, Hashable, Codable {
      let place: EncodedPath
      /// The value of `core.trustctime`; it is true where nothing is set.
      public let trustsChangeTimes: Bool

      /// The folder that `.git` is in.
      public var path: FilePath { place.path }

      private enum CodingKeys: String, CodingKey {
        case trustsChangeTimes
        case place = "path"
      }
    }

    /// Something to be done.
    public struct Problem: Sendable, Hashable, Codable {
      /// What is the matter, in a sentence.
      ///
      /// File names in it are escaped.
      public let message: String
      /// What somebody should do about it.
      public let advice: String
    }

    let place: EncodedPath
    /// The kernel that runs, as `uname -sr` has it.
    public let kernel: String
    /// The file systems that the tree is on, the directory's own first.
    public internal(set) var mounts: [Mount] = []
    /// The limits that matter for the tree.
    public internal(set) var limits: [Limit] = []
    /// How many directories would be observed, with the directory itself.
    public internal(set) var directoryCount = 0
    /// How many files would be observed.
    public internal(set) var fileCount = 0
    /// How many of all these have a tag.
    public internal(set) var taggedCount = 0
    /// The directories that cannot be listed.
    public internal(set) var unreadable = Group()
    /// The items that have no tag and can be given none, by why.
    public internal(set) var untaggable: [SkipReason: Group] = [:]
    /// The working trees of git above, at and below the directory.
    public internal(set) var gitWorkingTrees: [WorkingTree] = []

    /// The directory.
    public var directory: FilePath { place.path }

    init(directory: FilePath) {
      place = EncodedPath(directory)
      kernel = KernelVersion.description
    }

    private enum CodingKeys: String, CodingKey {
      case kernel, mounts, limits, directoryCount, fileCount, taggedCount, unreadable, untaggable, gitWorkingTrees
      case place = "directory"
    }
  }
}

extension FileSystemObserver.Examination: CustomStringConvertible {
  /// The directory, the counts and how much has to be done, in one line.
  public var description: String {
    let problems = problems.count
    return "\(directory.printable): \(directoryCount) folders and \(fileCount) files, \(taggedCount) of them tagged; "
      + (problems == 0 ? "nothing needs to be done" : problems == 1 ? "1 problem" : "\(problems) problems")
  }
}

extension FileSystemObserver.Examination.Group {
  mutating func add(_ path: FilePath, _ errno: Errno?) {
    count += 1
    if first == nil {
      first = EncodedPath(path)
      self.errno = errno
    }
  }
}

extension EncodedPath: Hashable {
  static func == (left: EncodedPath, right: EncodedPath) -> Bool { left.path == right.path }

  func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

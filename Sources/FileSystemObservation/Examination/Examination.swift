internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// A report on what a directory, its file systems and the kernel offer to an observer, and on problems.
  ///
  /// ``FileSystemObserver/examine(_:includesHiddenItems:tagName:)`` makes it. It is an immutable value.
  public struct Examination: Sendable, Hashable, Codable {
    /// A group of items that are left out, or without a tag.
    public struct Group: Sendable, Hashable, Codable {
      /// The number of items.
      public internal(set) var count = 0
      /// The error number for the first item.
      public internal(set) var errno: Errno?
      var first: EncodedPath?

      /// The path of the first item; `nil` if the group is empty.
      public var path: FilePath? { first?.path }

      init() {}
    }

    /// A working tree of git.
    ///
    /// Writing a tag makes a file look changed until the next `git status`, unless git is set to ignore the ctime.
    public struct WorkingTree: Sendable, Hashable, Codable {
      let place: EncodedPath
      /// The value of `core.trustctime`; true if it is not set.
      public let trustsChangeTimes: Bool

      /// The folder that contains `.git`.
      public var path: FilePath { place.path }

      private enum CodingKeys: String, CodingKey {
        case trustsChangeTimes
        case place = "path"
      }
    }

    /// A problem with advice.
    public struct Problem: Sendable, Hashable, Codable {
      /// The problem in one sentence.
      ///
      /// File names in it are escaped.
      public let message: String
      /// The advice.
      public let advice: String
    }

    let place: EncodedPath
    /// The running kernel, as in `uname -sr`.
    public let kernel: String
    /// The file systems of the tree, the directory's own first.
    public internal(set) var mounts: [Mount] = []
    /// The limits that matter for the tree.
    public internal(set) var limits: [Limit] = []
    /// The number of directories to observe, including the directory itself.
    public internal(set) var directoryCount = 0
    /// The number of files to observe.
    public internal(set) var fileCount = 0
    /// The number of these directories and files that have a tag.
    public internal(set) var taggedCount = 0
    /// The directories that cannot be listed.
    public internal(set) var unreadable = Group()
    /// The mounts that did not answer: what is below them is not counted.
    public internal(set) var unanswering = Group()
    /// The items that have no tag and cannot get one, by reason.
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
      case kernel, mounts, limits, directoryCount, fileCount, taggedCount, unreadable, unanswering
      case untaggable, gitWorkingTrees
      case place = "directory"
    }
  }
}

extension FileSystemObserver.Examination: CustomStringConvertible {
  /// The directory, the counts and the number of problems, in one line.
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

import FileEvents
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// What `doctor` found out.
struct Diagnosis {
  /// One file system of the tree.
  struct MountReport {
    /// Where it is mounted, or the folder itself where it lies above that.
    var path: FilePath
    var type: String
    var isReadOnly: Bool
    var source: SourceChoice
    /// Whether files can be tagged; nothing where that cannot be tried without changing anything.
    var takesTags: Bool?
    /// Whether leases tell if somebody writes; nothing where there was no file to try it with.
    var hasLeases: Bool?
    var hasBirthTimes: Bool
    /// Folders on it, as far as they are observed.
    var folderCount = 0
  }

  /// One limit that matters here.
  struct LimitReport {
    var limit: ResourceLimit
    var setting: String
    var value: UInt64
    var used: UInt64
    /// How many an observer of the folder needs.
    var needed: UInt64

    var room: UInt64 { value > used ? value - used : 0 }
    var isEnough: Bool { needed <= room }
  }

  /// Files of one kind that are left out or without a tag.
  struct Group {
    var count = 0
    var first: FilePath?
    var errno: Errno?
  }

  /// Something to be done.
  struct Problem {
    var what: String
    var advice: String
  }

  var directory: FilePath
  var kernel = KernelVersion.description
  var mounts: [MountReport] = []
  var limits: [LimitReport] = []
  var folderCount = 0
  var fileCount = 0
  var taggedCount = 0
  var unreadable = Group()
  /// Files that have no tag and can be given none, by why.
  var untaggable: [FileSystemObserver.SkipReason: Group] = [:]
  /// Working trees of git at, below and above the folder.
  var gitTrees: [GitWorkingTree] = []

  init(directory: FilePath) {
    self.directory = directory
  }
}

// MARK: - What to do

extension Diagnosis {
  var needsAttention: Bool { !problems.isEmpty }

  /// What somebody should do about it, the gravest first.
  var problems: [Problem] {
    unreadableProblems + limits.filter { !$0.isEnough }.map(problem) + mounts.compactMap(problem)
      + FileSystemObserver.SkipReason.allCases.compactMap { reason in untaggable[reason].flatMap { problem(reason, $0) }
      }
  }

  private var unreadableProblems: [Problem] {
    guard let first = unreadable.first else { return [] }
    let reason = unreadable.errno.map { " (\($0))" } ?? ""
    return [
      Problem(
        what: "\(count(unreadable.count, "folder")) cannot be listed, for instance \(first.printable)\(reason)",
        advice: "give permission to read and search, as with: chmod u+rx, or setfacl -m u:$USER:rx")
    ]
  }

  private func problem(_ report: LimitReport) -> Problem {
    let advice = report.limit.advice(needed: report.used + report.needed)
    return Problem(
      what: "\(report.needed) \(report.limit.subject) are needed, and there is room for \(report.room): "
        + "what is beyond is polled",
      advice: advice.map { "\($0.who) raises the limit with: \($0.command)" } ?? "raise the limit")
  }

  private func problem(_ mount: MountReport) -> Problem? {
    guard mount.takesTags == false, !mount.isReadOnly else { return nil }
    return Problem(
      what: "\(mount.path.printable) (\(mount.type)) keeps no user.* attributes: files there are known by their inode",
      advice: "keep documents whose identity is to survive being replaced on another file system")
  }

  private func problem(_ reason: FileSystemObserver.SkipReason, _ group: Group) -> Problem? {
    guard let first = group.first else { return nil }
    let files = "\(count(group.count, "file")) can have no tag, for instance \(first.printable)"
    switch reason {
    case .tagNotPermitted:
      return Problem(
        what: "\(files): not to be written to by this user",
        advice: "make them writable, as with: chmod u+w, or chattr -i; or let their owner run fsobserve scan once")
    case .readOnly:
      return Problem(what: "\(files): read-only file system", advice: "scan it once where it can be written to")
    case .onlyInLowerLayer:
      let items = "\(count(group.count, "item")) \(group.count == 1 ? "is" : "are")"
      return Problem(
        what: "\(items) only in a lower layer of an overlay, for instance \(first.printable): no tag until changed",
        advice: "nothing, if the inode is identity enough until then; or tag all, which copies them into the upper "
          + "layer: fsobserve scan --tag-lower")
    case .noRoomForTag: return Problem(what: "\(files): no room", advice: "make room on the file system")
    // Said of the file system already.
    default: return nil
    }
  }

  private func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}

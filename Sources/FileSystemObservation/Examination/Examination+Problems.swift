import LinuxFileSystem
import SystemPackage

extension FileSystemObserver.Examination {
  /// Whether there are problems.
  public var needsAttention: Bool { !problems.isEmpty }

  /// The problems with advice, the gravest first.
  public var problems: [Problem] {
    unansweringProblems + unreadableProblems + limits.filter { !$0.isEnough }.map(problem) + mounts.compactMap(problem)
      + FileSystemObserver.SkipReason.allCases.compactMap { reason in untaggable[reason].flatMap { problem(reason, $0) }
      }
  }

  private var unansweringProblems: [Problem] {
    guard let first = unanswering.path else { return [] }
    return [
      Problem(
        message: "\(count(unanswering.count, "file system")) did not answer, for instance \(first.printable): what is "
          + "there was not examined",
        advice: "see whether its program or its server runs; an observer goes on without it until it answers")
    ]
  }

  private var unreadableProblems: [Problem] {
    guard let first = unreadable.path else { return [] }
    let reason = unreadable.errno.map { " (\($0))" } ?? ""
    return [
      Problem(
        message: "\(count(unreadable.count, "folder")) cannot be listed, for instance \(first.printable)\(reason)",
        advice: "give permission to read and search, as with: chmod u+rx, or setfacl -m u:$USER:rx")
    ]
  }

  private func problem(_ limit: Limit) -> Problem {
    var advice = "raise the limit"
    if let who = limit.whoCanRaise, let command = limit.command { advice = "\(who) raises the limit with: \(command)" }
    let outcome = limit.resource == .fanotifyMarks ? "inotify is used as far as it goes" : "what is beyond is polled"
    return Problem(
      message: "\(limit.needed) \(limit.resource) are needed, and there is room for \(limit.room): \(outcome)",
      advice: advice)
  }

  private func problem(_ mount: Mount) -> Problem? {
    guard mount.takesTags == false, !mount.isReadOnly else { return nil }
    return Problem(
      message: "\(mount.path.printable) (\(mount.type)) keeps no user.* attributes: "
        + "files there are known by their inode",
      advice: "keep documents whose identity is to survive being replaced on another file system")
  }

  private func problem(_ reason: FileSystemObserver.SkipReason, _ group: Group) -> Problem? {
    guard let first = group.path else { return nil }
    let files = "\(count(group.count, "item")) can have no tag, for instance \(first.printable)"
    switch reason {
    case .tagNotPermitted:
      return Problem(
        message: "\(files): not to be written to by this user",
        advice: "what belongs to you, make writable, as with: chmod u+w, or chattr -i; what belongs to another user, "
          + "let that user tag with: fsobserve scan")
    case .readOnly:
      return Problem(message: "\(files): read-only file system", advice: "scan it once where it can be written to")
    case .onlyInLowerLayer:
      let items = "\(count(group.count, "item")) \(group.count == 1 ? "is" : "are")"
      return Problem(
        message: "\(items) only in a lower layer of an overlay, for instance \(first.printable): no tag until changed",
        advice: "nothing, if the inode is identity enough until then; or tag all, which copies them into the upper "
          + "layer: fsobserve scan --tag-lower")
    case .noRoomForTag: return Problem(message: "\(files): no room", advice: "make room on the file system")
    // Reported for the file system already.
    default: return nil
    }
  }

  private func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}

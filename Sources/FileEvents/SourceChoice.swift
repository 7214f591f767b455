package import LinuxFileSystem
package import SystemPackage

/// Which source an observer uses for a directory, and why.
package struct SourceChoice: Equatable, Sendable {
  package enum Name: String, Sendable {
    case fanotify, inotify, polling
  }

  package var name: Name
  /// One sentence for a person.
  package var reason: String
  /// The limit that keeps the kernel's source away.
  package var limit: ReachedLimit?
  /// Whether the number of its marks has no limit.
  package var isUnlimited = false

  /// Finds out by trying: a mark that is let go of at once.
  package static func `for`(_ directory: DirectoryHandle) throws(Errno) -> SourceChoice {
    let status = try FileStatus.of(directory.descriptor)
    let type = try FileSystemType.of(directory.descriptor)
    if type.changesRemotely(on: status.device) {
      return SourceChoice(
        name: .polling, reason: "files on \(type.name) may be changed by others without this kernel's telling")
    }
    do {
      let source = WatchPool(.automatic)
      let mark = try source.mark(directory, for: .entries)
      defer { source.unmark(mark, of: directory) }
      let name: Name = mark.isOfFanotify ? .fanotify : .inotify
      return SourceChoice(
        name: name, reason: "the kernel tells of every change",
        isUnlimited: name == .fanotify && hasPrivilege)
    } catch {
      guard let limit = ReachedLimit(error, usesFanotify: false) else { throw error }
      return SourceChoice(
        name: .polling, reason: "there is no room for a watch: \(limit.limit.explanation())", limit: limit)
    }
  }

  /// Whether fanotify sets this process no limit of marks.
  private static var hasPrivilege: Bool {
    guard let instance = try? FanotifyInstance(usingPrivilege: true) else { return false }
    return instance.isPrivileged
  }
}

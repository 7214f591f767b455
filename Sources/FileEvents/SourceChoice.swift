package import LinuxFileSystem
package import SystemPackage

/// The source that an observer uses for a directory, and the reason.
package struct SourceChoice: Equatable, Sendable {
  package enum Name: String, Sendable {
    case fanotify, inotify, polling
  }

  package var name: Name
  /// One sentence for people.
  package var reason: String
  /// The limit that prevents the use of the kernel's sources.
  package var limit: ReachedLimit?
  /// Whether the number of marks is unlimited.
  package var isUnlimited = false

  /// Finds the source by a mark that is removed at once.
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

  /// Whether this process may have any number of fanotify marks.
  private static var hasPrivilege: Bool {
    guard let instance = try? FanotifyInstance(usingPrivilege: true) else { return false }
    return instance.isPrivileged
  }
}

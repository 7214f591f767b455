internal import CLinux
import Glibc
internal import SystemPackage

/// The use of the kernel's event sources by this user, as far as this process can see it.
package struct KernelUsage: Equatable, Sendable {
  package var inotifyInstances: UInt64 = 0
  package var inotifyWatches: UInt64 = 0
  package var fanotifyGroups: UInt64 = 0
  package var fanotifyMarks: UInt64 = 0
  /// Open descriptors of this process.
  package var descriptors: UInt64 = 0

  package init() {}

  /// Counts what is in `/proc`.
  package static func current() -> KernelUsage {
    var usage = KernelUsage()
    let user = geteuid()
    for process in names(in: "/proc") where process.first?.isNumber == true {
      let path = FilePath("/proc").appending(process)
      guard let status = try? FileStatus.of(path: path), status.owner == user, !sharesDescriptors(path) else {
        continue
      }
      for descriptor in names(in: path.appending("fdinfo")) {
        guard let text = SmallFile.text(of: path.appending("fdinfo").appending(descriptor)) else { continue }
        usage.add(text)
      }
    }
    usage.descriptors = UInt64(names(in: "/proc/self/fd").count)
    return usage
  }

  /// Adds the description of one descriptor (proc_pid_fdinfo(5)).
  package mutating func add(_ text: String) {
    let watches = count(of: "inotify wd:", in: text)
    let marks = count(of: "fanotify ino:", in: text) + count(of: "fanotify sdev:", in: text)
    inotifyWatches += watches
    fanotifyMarks += marks
    if watches > 0 { inotifyInstances += 1 }
    if text.split(separator: "\n").contains(where: { $0.hasPrefix("fanotify flags:") }) { fanotifyGroups += 1 }
  }

  private func count(of prefix: String, in text: String) -> UInt64 {
    text.split(separator: "\n").reduce(0) { $1.hasPrefix(prefix) ? $0 + 1 : $0 }
  }

  /// Whether a process shares the open files of another to make its calls on mounts.
  private static func sharesDescriptors(_ process: FilePath) -> Bool {
    SmallFile.text(of: process.appending("comm")) == CLINUX_ISOLATED_NAME + "\n"
  }

  private static func names(in path: FilePath) -> [String] {
    guard let directory = try? OwnedDescriptor.openDirectory(at: path, for: .list) else { return [] }
    var names: [String] = []
    try? DirectoryReader().forEachEntry(of: directory) { name, _, _ in names.append(FileName(name).description) }
    return names
  }

  /// The used part of a limit.
  package func used(of limit: ResourceLimit) -> UInt64? {
    switch limit {
    case .inotifyWatches: inotifyWatches
    case .inotifyInstances: inotifyInstances
    case .fanotifyMarks: fanotifyMarks
    case .fanotifyGroups: fanotifyGroups
    case .processDescriptors: descriptors
    case .systemDescriptors, .memory: nil
    }
  }
}

import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// The event sources for which the contract holds.
enum ContractSource: String, Codable, CaseIterable, Sendable {
  case inotify
  case fanotifyMarkingDirectories
  case fanotifyMarkingFileSystems
  case polling
  case treeByFileSystem
  case treeMarkingDirectories
  case treeByInotify
  case treeByPolling

  /// Those that this user may use: only root marks file systems.
  static let possible = allCases.filter { $0 != .fanotifyMarkingFileSystems || geteuid() == 0 }
  static let kernel = possible.filter { !$0.polls }

  /// Whether the source looks at directories, and so knows no order and no kinds.
  var polls: Bool { self == .polling || self == .treeByPolling }

  var usesFanotify: Bool { !polls && self != .inotify && self != .treeByInotify }

  /// The kernel's limit of events in one queue.
  var queueLimit: Int? {
    let name = usesFanotify ? "fanotify" : "inotify"
    return SmallFile.text(of: FilePath("/proc/sys/fs/\(name)/max_queued_events")).flatMap { text in
      Int(text.prefix { $0.isNumber })
    }
  }

  func make() throws -> any EventSource<DirectoryHandle> {
    switch self {
    case .inotify: try InotifySource()
    case .fanotifyMarkingDirectories: try FanotifySource(coverage: .directories)
    case .fanotifyMarkingFileSystems: try FanotifySource(coverage: .fileSystems)
    case .polling: try PollingSource(PlainDirectories())
    case .treeByFileSystem: try TreeSource(.automatic, PlainDirectories())
    case .treeMarkingDirectories: try TreeSource(.automatic, PlainDirectories(), coverage: .directories)
    case .treeByInotify: try TreeSource(.kernel(.inotify), PlainDirectories())
    case .treeByPolling: try TreeSource(.polling, PlainDirectories())
    }
  }
}

extension ContractSource: CustomTestStringConvertible {
  var testDescription: String { rawValue }
}

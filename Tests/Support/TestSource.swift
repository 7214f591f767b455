package import FileSystemObservation
internal import Glibc

/// The event source for all tests, named by `FSO_SOURCE`.
package enum TestSource: String, CaseIterable, Sendable {
  case inotify
  /// With privilege if there is any.
  case fanotify
  /// With a mark on each directory, as without privilege.
  case fanotifyDirectories = "fanotify-directories"
  /// Looking again and again.
  case polling

  /// The named source; without a name, each observer chooses as for an app.
  package static let named: TestSource? = Environment["FSO_SOURCE"].map { name in
    guard let source = TestSource(rawValue: name) else {
      preconditionFailure("FSO_SOURCE is \(name); it must be one of \(allCases.map(\.rawValue))")
    }
    return source
  }

  /// The sources for a test that runs with each of them.
  package static let toTest = named.map { [$0] } ?? allCases

  /// Whether the source never drops an event.
  package var dropsNoEvent: Bool { self == .polling }

  /// Whether the source can watch any number of folders.
  package var hasUnlimitedMarks: Bool { self == .polling || self == .fanotify && geteuid() == 0 }

  /// A command line that makes `fsobserve` use this source.
  package func command(_ arguments: [String]) -> [String] {
    let command = arguments + ["--source", name]
    guard self == .fanotifyDirectories, geteuid() == 0 else { return command }
    return ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"] + command
  }

  private var name: String {
    switch self {
    case .inotify: "inotify"
    case .fanotify, .fanotifyDirectories: "fanotify"
    case .polling: "polling"
    }
  }

  package func applied(to options: FileSystemObserver.Configuration) -> FileSystemObserver.Configuration {
    var options = options
    options.backend =
      switch self {
      case .inotify: .inotify
      case .fanotify, .fanotifyDirectories: .fanotify
      case .polling: .polling
      }
    options.usesPrivilege = self == .fanotify
    return options
  }
}

package import FileSystemObservation
internal import Glibc

/// The event source that all tests are to use, named by `FSO_SOURCE`.
package enum TestSource: String, CaseIterable, Sendable {
  case inotify
  /// With privilege where there is any.
  case fanotify
  /// Each directory marked, as without privilege.
  case fanotifyDirectories = "fanotify-directories"
  /// Looking again and again.
  case polling

  /// The source that is named; without a name each observer takes the one that it takes for an app.
  package static let named: TestSource? = Environment["FSO_SOURCE"].map { name in
    guard let source = TestSource(rawValue: name) else {
      preconditionFailure("FSO_SOURCE is \(name); it must be one of \(allCases.map(\.rawValue))")
    }
    return source
  }

  /// The sources that a test is to use which goes through all of them.
  package static let toTest = named.map { [$0] } ?? allCases

  /// Whether no event is ever dropped.
  package var dropsNoEvent: Bool { self == .polling }

  /// Whether any number of folders can be watched.
  package var hasUnlimitedMarks: Bool { self == .polling || self == .fanotify && geteuid() == 0 }

  /// The command, so that `fsobserve` uses this source.
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

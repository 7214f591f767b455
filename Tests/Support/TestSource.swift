package import FileSystemObservation

/// The event source that all tests are to use, named by `FSO_SOURCE`.
package enum TestSource: String, CaseIterable, Sendable {
  case inotify
  /// With privilege where there is any.
  case fanotify
  /// Each directory marked, as without privilege.
  case fanotifyDirectories = "fanotify-directories"

  /// The source that is named; without a name each observer takes the one that it takes for an app.
  package static let named: TestSource? = Environment["FSO_SOURCE"].map { name in
    guard let source = TestSource(rawValue: name) else {
      preconditionFailure("FSO_SOURCE is \(name); it must be one of \(allCases.map(\.rawValue))")
    }
    return source
  }

  package func applied(to options: ObservationOptions) -> ObservationOptions {
    var options = options
    options.source = self == .inotify ? .inotify : .fanotify
    options.usesPrivilege = self == .fanotify
    return options
  }
}

import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Diagnostics about what cannot be observed, or not as it should be.

extension Engine {
  func reportUnreadable(_ error: Errno, _ id: NodeID) {
    guard error != .noSuchFileOrDirectory, error != .notDirectory else { return }
    if let limit = shortage(error) { return report(limit) }
    // Reported once for the mount, not for each folder on it.
    if error == .timedOut { return }
    tally.skipped[.unreadableFolder, default: 0] += 1
    let path = path(of: id)
    report(
      .unreadableFolder, path, "cannot list \(path) (\(error)); it is watched as soon as its permissions allow it",
      errno: error)
  }

  func reportMarkFailure(_ error: Errno, _ id: NodeID) {
    guard error != .noSuchFileOrDirectory, error != .timedOut else { return }
    if let limit = shortage(error) { return report(limit) }
    guard reportedProblems.isFirst(.unmarkedDirectory) else { return }
    let path = path(of: id)
    let consequence = Self.mayPass(error) ? "not watched yet, and tried again" : "not watched"
    report(
      .limitReached, path, "\(path) and perhaps others are \(consequence): the kernel refused a watch (\(error))",
      errno: error)
  }

  /// Whether a refused mark may succeed later; it cannot if the source does not support the file system.
  static func mayPass(_ refusal: Errno) -> Bool {
    switch refusal {
    case .noSuchFileOrDirectory, .notDirectory, .permissionDenied, .notPermitted, .invalidArgument, .notSupported,
      .operationNotSupportedByDevice, .improperLink, .noFunction:
      false
    default: true
    }
  }

  /// The resource that is short for now, so that the folder is listed again later.
  private func shortage(_ error: Errno) -> ReachedLimit? {
    switch error {
    case .tooManyOpenFiles: ReachedLimit(.processDescriptors, error)
    case .tooManyOpenFilesInSystem: ReachedLimit(.systemDescriptors, error)
    case .noMemory: ReachedLimit(.memory, error)
    default: nil
    }
  }

  /// Reports mounts that do not answer or cannot be accessed, and looks again at those that answer again.
  func reportMounts(at now: MonotonicTime) {
    for news in files.takeMountNews() {
      switch news.kind {
      case .isSilent:
        report(
          .mountNotAnswering, news.path,
          "the file system mounted at \(news.path) does not answer; what is on it is looked at again when it does",
          errno: .timedOut)
      case .refuses:
        report(
          .unreadableFolder, news.path,
          "\(news.path) cannot be looked at: its file system refuses that (FUSE without allow_other); it is tried again",
          errno: .permissionDenied)
      case .answers:
        let silent = Set(state.classify { $0.coverage.entries(with: .silent) })
        state.classify { $0.coverage.end(.silent) }
        state.classify(at: now) { $0.lookAgainAtUnseen(silent) }
      }
    }
  }

  /// Reports a diagnostic, which is one sentence for the user.
  func report(
    _ code: FileSystemObserver.Diagnostic.Code, _ path: FilePath?, _ sentence: Message, errno: Errno? = nil,
    limit: FileSystemObserver.Diagnostic.Limit? = nil
  ) {
    emit(
      .diagnostic(
        FileSystemObserver.Diagnostic(code: code, sentence: sentence, path: path, errno: errno, limit: limit)))
  }

  func reportReachedLimits() {
    for limit in source.takeReachedLimits() { report(limit) }
  }

  /// Reports each limit once.
  private func report(_ reached: ReachedLimit) {
    guard reportedProblems.isFirst(.reachedLimit(reached.limit)) else { return }
    let needed = UInt64(state.classify { $0.graph.directoryCount })
    let consequence =
      switch reached.limit {
      case .processDescriptors, .systemDescriptors, .memory: "folders that cannot be opened are tried again"
      default: "folders beyond it are looked at now and then instead of being watched, so that changes are told later"
      }
    report(
      .limitReached, nil, "\(reached.limit.explanation(needed: needed)). Until then \(consequence)",
      errno: reached.errno, limit: FileSystemObserver.Diagnostic.Limit(reached.limit, needed: needed))
  }
}

extension FileSystemObserver.Diagnostic.Limit {
  /// A limit with its present value and advice; `nil` if there is no advice.
  init?(_ limit: ResourceLimit, needed: UInt64) {
    guard let (setting, value) = limit.current, let advice = limit.advice(needed: needed) else { return nil }
    self.init(
      name: setting, value: Int(clamping: value), suggestedValue: Int(clamping: advice.value), command: advice.command)
  }
}

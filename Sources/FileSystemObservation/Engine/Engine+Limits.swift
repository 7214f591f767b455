import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// What the app is told of what cannot be observed as it should, or not at all.

extension Engine {
  func reportUnreadable(_ error: Errno, _ id: NodeID) {
    guard error != .noSuchFileOrDirectory, error != .notDirectory else { return }
    if let limit = shortage(error) { return report(limit) }
    // Told once of the mount, and not of each folder on it.
    if error == .timedOut { return }
    tally.skipped[.unreadableFolder, default: 0] += 1
    let path = path(of: id)
    emit(
      .diagnostic(
        FileSystemObserver.Diagnostic(
          code: .unreadableFolder,
          sentence: "cannot list \(path) (\(error)); it is watched as soon as its permissions allow it", path: path,
          errno: error)))
  }

  func reportMarkFailure(_ error: Errno, _ id: NodeID) {
    guard error != .noSuchFileOrDirectory, error != .timedOut else { return }
    if let limit = shortage(error) { return report(limit) }
    guard !hasToldMarkFailure else { return }
    hasToldMarkFailure = true
    let path = path(of: id)
    let consequence = Self.mayPass(error) ? "not watched yet, and tried again" : "not watched"
    emit(
      .diagnostic(
        FileSystemObserver.Diagnostic(
          code: .limitReached,
          sentence: "\(path) and perhaps others are \(consequence): the kernel refused a watch (\(error))",
          path: path, errno: error)))
  }

  /// Whether a refused mark may be had later: not where the source that was asked for has none for such a file system.
  static func mayPass(_ refusal: Errno) -> Bool {
    switch refusal {
    case .noSuchFileOrDirectory, .notDirectory, .permissionDenied, .notPermitted, .invalidArgument, .notSupported,
      .operationNotSupportedByDevice, .improperLink, .noFunction:
      false
    default: true
    }
  }

  /// What is missing for a moment: the folder is listed again after a while.
  private func shortage(_ error: Errno) -> ReachedLimit? {
    switch error {
    case .tooManyOpenFiles: ReachedLimit(.processDescriptors, error)
    case .tooManyOpenFilesInSystem: ReachedLimit(.systemDescriptors, error)
    case .noMemory: ReachedLimit(.memory, error)
    default: nil
    }
  }

  /// Tells which mounts do not answer, or refuse to be looked at, and has those looked at that answer again.
  func reportMounts(at now: MonotonicTime) {
    for news in files.takeMountNews() {
      switch news.kind {
      case .isSilent:
        report(
          .mountNotAnswering, news.path, .timedOut,
          "the file system mounted at \(news.path) does not answer; what is on it is looked at again when it does")
      case .refuses:
        report(
          .unreadableFolder, news.path, .permissionDenied,
          "\(news.path) cannot be looked at: its file system refuses that (FUSE without allow_other); it is tried again"
        )
      case .answers:
        let silent = silentDirectories
        silentDirectories = []
        state.classify { $0.lookAgainAtUnseen(silent, now) }
      }
    }
  }

  private func report(_ code: FileSystemObserver.Diagnostic.Code, _ path: FilePath, _ error: Errno, _ message: Message)
  {
    emit(.diagnostic(FileSystemObserver.Diagnostic(code: code, sentence: message, path: path, errno: error)))
  }

  /// Tells which limits the source has reached.
  func reportReachedLimits() {
    for limit in source.takeReachedLimits() { report(limit) }
  }

  /// Told once for each limit.
  private func report(_ reached: ReachedLimit) {
    guard toldLimits.insert(reached.limit).inserted else { return }
    let needed = UInt64(state.classify { $0.graph.directoryCount })
    let consequence =
      switch reached.limit {
      case .processDescriptors, .systemDescriptors, .memory: "folders that cannot be opened are tried again"
      default: "folders beyond it are looked at now and then instead of being watched, so that changes are told later"
      }
    emit(
      .diagnostic(
        FileSystemObserver.Diagnostic(
          code: .limitReached, sentence: "\(reached.limit.explanation(needed: needed)). Until then \(consequence)",
          path: nil, errno: reached.errno, limit: FileSystemObserver.Diagnostic.Limit(reached.limit, needed: needed))))
  }
}

extension FileSystemObserver.Diagnostic.Limit {
  /// A limit with its present value and what to do; nothing where nothing can be done.
  init?(_ limit: ResourceLimit, needed: UInt64) {
    guard let (setting, value) = limit.current, let advice = limit.advice(needed: needed) else { return nil }
    self.init(
      name: setting, value: Int(clamping: value), suggestedValue: Int(clamping: advice.value), command: advice.command)
  }
}

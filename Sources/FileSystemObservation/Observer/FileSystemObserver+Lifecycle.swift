internal import Dispatch
internal import FileEvents
internal import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Begins to observe.
  ///
  /// It returns as soon as the directory is open: after less than two seconds, whatever the file system does. The first
  /// scan runs on threads of the observer's own. What it finds is announced in one set of changes between
  /// ``Event/willBeginFullScan(_:)`` and ``Event/didCompleteFullScan(_:)``.
  ///
  /// Whoever wants to be told must listen by then, or begin with ``Start/snapshot``. If nobody listens a second later,
  /// one line on standard error says so, once for each observer, unless ``Configuration/warnsWithoutListeners`` is off.
  ///
  /// - Throws: `rootNotFound`, `rootNotDirectory`, `rootNotReadable`, `rootNotAnswering`, `alreadyRunning`,
  ///   `limitReached`, or `invalidArgument` for a configuration that cannot be used: a path that is not absolute, a URL
  ///   that names no directory of this machine, a malformed pattern, or a value out of its range.
  public func start() throws(FileSystemObserverError) {
    try start(warningAfter: 1, StandardError.write)
  }

  /// The same, with a time and a place for the warning that nobody listens.
  package func start(
    warningAfter seconds: Double, _ warn: @escaping @Sendable (String) -> Void
  ) throws(FileSystemObserverError) {
    let result = lifecycle.withLock { _ -> Result<Void, FileSystemObserverError> in
      do throws(FileSystemObserverError) {
        try startAlone()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    // Who starts it may begin to listen with the next statement.
    guard hub.isEmpty, let epoch = state.withLock({ $0.run?.epoch }) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.warnWithoutListeners(epoch, warn)
    }
  }

  private func warnWithoutListeners(_ epoch: UInt64, _ warn: (String) -> Void) {
    guard hub.isEmpty else { return }
    let directory = state.withLock { state -> FilePath? in
      guard state.run?.epoch == epoch, state.configuration.warnsWithoutListeners, !state.hasWarned else { return nil }
      state.hasWarned = true
      return state.configuration.directory
    }
    guard let directory else { return }
    warn(
      "FileSystemObservation: nobody listens to the observer of \(directory.string.debugDescription). Keep the token of "
        + "addNotificationBlock as long as you want to be told (a local variable is let go of after its last use), or ask for "
        + "`events()`. If look-ups are all you want, set warnsWithoutListeners to false.")
  }

  private func startAlone() throws(FileSystemObserverError) {
    let (configuration, isRunning) = state.withLock { ($0.configuration, $0.run != nil) }
    if isRunning {
      throw FileSystemObserverError(
        code: .alreadyRunning, sentence: "the observer of \(configuration.directory) runs already; stop it first",
        path: configuration.directory)
    }
    let settings = try configuration.settings()
    hub.allowWaiting(true)
    let epoch = UInt64.random(in: 1 ... .max)
    let driver = try makeDriver(configuration, settings, epoch)
    state.withLock { state in
      state.run = Run(epoch: epoch, configuration: configuration, driver: driver)
      state.lastRun = nil
    }
    do throws(FileSystemObserverError) {
      try driver.begin()
    } catch {
      _ = takeRun { $0.epoch == epoch }
      throw error
    }
  }

  private func makeDriver(
    _ configuration: Configuration, _ settings: ObservationDriver.HostEngine.Settings, _ epoch: UInt64
  ) throws(FileSystemObserverError) -> ObservationDriver {
    let files = GuardedFileSystem(
      HostFileSystem(
        tag: FileTag(name: configuration.tagName), sparesLower: !configuration.tagsFilesOfLowerLayers))
    let hub = hub
    let announcer = Announcer(
      directory: configuration.directory, epoch: epoch, policy: configuration.rootLossPolicy,
      rootMoved: { [weak self] path in self?.rootMoved(to: path, epoch) })
    return try ObservationDriver(
      settings: settings, files: files, rootLossPolicy: configuration.rootLossPolicy, blocks: ownQueue,
      makeSource: { wait throws(Errno) in try configuration.makeSource(files, wait) }, scopes: { hub.scopes },
      details: hub.details,
      emit: { output in announcer.announce(output, to: hub) },
      finished: { [weak self] error in self?.observationEnded(epoch, error) })
  }

  /// Begins to observe, without a wait of the calling thread for the disk.
  ///
  /// The same as the call that is not asynchronous, which is for programs without concurrency. It returns before the
  /// first scan is done.
  ///
  /// - Throws: As that.
  public func start() async throws(FileSystemObserverError) {
    try await offThread { () throws(FileSystemObserverError) in
      try self.start(warningAfter: 1, StandardError.write)
    }
  }

  /// Ends observation, without a wait of the calling thread for the observer's own.
  ///
  /// The same as the call that is not asynchronous.
  public func stop() async {
    await offThread { self.endRun() }
  }

  /// Ends observation.
  ///
  /// When it returns, nothing is observed any more; events that were announced before may still be delivered. That
  /// takes less than two seconds: a thread that is stuck in the kernel, because a disk or a server does not answer, is
  /// left behind. Sequences end after these events; blocks and queues get the events of the next start, too.
  ///
  /// Doing it twice does nothing. It may be called from a notification block.
  public func stop() { endRun() }

  private func endRun() {
    hub.allowWaiting(false)
    lifecycle.withLock { _ in
      guard let run = takeRun(where: { _ in true }) else { return }
      run.driver.stop()
      hub.endObservation()
    }
  }

  /// The engine's thread ends: the run is taken out before that is announced, so that a block may start the observer
  /// anew.
  private func observationEnded(_ epoch: UInt64, _ error: FileSystemObserverError) {
    guard let run = takeRun(where: { $0.epoch == epoch }) else { return }
    run.driver.stop()
    hub.endObservation(error)
  }

  /// Look-ups, and the next start, are about the directory where it is now.
  private func rootMoved(to path: FilePath, _ epoch: UInt64) {
    state.withLock { state in
      guard state.run?.epoch == epoch else { return }
      state.run?.configuration.directory = path
      state.configuration.directory = path
    }
  }

  private func takeRun(where isMeant: (Run) -> Bool) -> Run? {
    state.withLock { state in
      guard let run = state.run, isMeant(run) else { return nil }
      state.run = nil
      state.lastRun = run
      return run
    }
  }
}

extension FileSystemObserver.Configuration {
  func settings() throws(FileSystemObserverError) -> ObservationDriver.HostEngine.Settings {
    try check()
    var settings = ObservationDriver.HostEngine.Settings(path: directory)
    settings.patterns = NameRules(namePatterns)
    settings.filter = try filter()
    settings.timing = Classifier.Timing(
      settle: deletionDelay.wholeNanoseconds, quiet: quietPeriod.wholeNanoseconds,
      flashGuard: announcementDelay.wholeNanoseconds, modificationInterval: modificationInterval.wholeNanoseconds)
    settings.writesTags = tagging != .never
    settings.tagsWhatIsFound = tagging == .always
    settings.progressInterval = progressInterval.wholeNanoseconds
    settings.followsRoot = rootLossPolicy == .follow
    settings.scanThreads = processorCount
    // The app wants most of what it may open for itself.
    if let limit = ResourceLimit.descriptorLimits?.soft { settings.openDirectories = Int(min(256, limit / 8)) }
    return settings
  }

  /// Which items are observed.
  func filter() throws(FileSystemObserverError) -> ItemFilter {
    ItemFilter(
      includesHidden: includesHiddenItems, levels: depth, excluded: try Self.patterns(excludedPatterns),
      included: try Self.patterns(includedPatterns))
  }

  private static func patterns(_ strings: [String]) throws(FileSystemObserverError) -> PathPatternList {
    do {
      return try PathPatternList(strings)
    } catch {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "the pattern \"\(error.pattern)\" matches nothing: \(error.reason.explanation)")
    }
  }

  func makeSource(_ files: GuardedFileSystem, _ wait: EventWait) throws(Errno) -> TreeSource<GuardedFileSystem> {
    let choice: TreeSource<GuardedFileSystem>.Choice =
      switch backend {
      case .automatic: .automatic
      case .fanotify: .kernel(.fanotify)
      case .inotify: .kernel(.inotify)
      case .polling: .polling
      }
    return try TreeSource(choice, files, coverage: usesPrivilege ? .fileSystems : .directories, wait)
  }
}

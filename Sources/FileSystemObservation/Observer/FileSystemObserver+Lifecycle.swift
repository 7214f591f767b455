internal import Dispatch
internal import FileEvents
internal import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Starts observation.
  ///
  /// Returns as soon as the directory is open, in less than two seconds even if the file system does not answer. The
  /// first scan runs on the observer's own threads. One set of changes announces what it finds, between
  /// ``Event/willBeginFullScan(_:)`` and ``Event/didCompleteFullScan(_:)``. Until then, look-ups find nothing, and live
  /// lists are empty: to look up an item first, wait with ``synchronize(writingTags:)``.
  ///
  /// With a store, it also loads the tree of the last run, about a second for a million items; only what has changed is
  /// announced then.
  ///
  /// To get that set, listen before this call, or begin with ``Start/snapshot``. If there is no listener one second
  /// later, and no call of ``synchronize(writingTags:)`` waits, the observer writes one line to standard error, once in
  /// its lifetime; ``Configuration/warnsWithoutListeners`` turns that off.
  ///
  /// With ``RootLossPolicy/waitForReturn`` the directory may be away: there is none, its file system does not answer, or
  /// with a store, it is empty because its file system is not mounted. Then the diagnostic `rootLost` says so, and the
  /// observer looks for the directory once a second, and begins when it is there. Until then look-ups find nothing, and
  /// operations do without announcements. If the beginning fails, ``Event/didEnd(_:)`` has the error.
  ///
  /// - Throws: `rootNotFound`, `rootNotDirectory`, `rootNotReadable`, `rootNotAnswering`, `alreadyRunning`,
  ///   `limitReached`, `storeUnavailable`, or `invalidArgument` for an unusable configuration: a relative path, a URL that names no
  ///   directory of this machine, a malformed pattern, or a value out of range.
  public func start() throws(FileSystemObserverError) {
    try start(warningAfter: 1, StandardError.write)
  }

  /// Starts observation, with a delay and an output for the warning about missing listeners.
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
    guard let epoch = state.withLock({ $0.run?.epoch }) else { return }
    // The caller may add a listener in its next statement.
    warnWithoutListeners(after: seconds, epoch, warn)
  }

  /// Warns if there is no listener some seconds later, and nobody waits for what has happened.
  func warnWithoutListeners(
    after seconds: Double, _ epoch: UInt64, _ warn: @escaping @Sendable (String) -> Void
  ) {
    guard hub.isEmpty else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      // The caller may add one after `synchronize`.
      if state.withLock({ $0.waiterCount > 0 }) {
        warnWithoutListeners(after: max(0.1, seconds), epoch, warn)
      } else {
        warnWithoutListeners(epoch, warn)
      }
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
        + "addNotificationBlock as long as you listen (optimised code releases a local variable after its last use), or ask "
        + "for `events()`. If look-ups are all you want, set warnsWithoutListeners to false.")
  }

  private func startAlone() throws(FileSystemObserverError) {
    let (configuration, isRunning) = state.withLock { ($0.configuration, $0.run != nil || $0.wait != nil) }
    if isRunning {
      throw FileSystemObserverError(
        code: .alreadyRunning, sentence: "the observer of \(configuration.directory) runs already; stop it first",
        path: configuration.directory)
    }
    do throws(FileSystemObserverError) {
      try beginRun(configuration)
    } catch {
      guard configuration.waitsForDirectory(error) else { throw error }
      beginWaiting(for: configuration, error)
    }
  }

  func beginRun(_ configuration: Configuration) throws(FileSystemObserverError) {
    var settings = try configuration.settings()
    settings.recorder = configuration.makeRecorder()
    hub.allowWaiting(true)
    hub.setStopped(false)
    let epoch = UInt64.random(in: 1 ... .max)
    let files = makeFiles(configuration)
    try configuration.checkLinks(files)
    try checkContentEvidence(configuration)
    let store = try store.map { (store) throws(FileSystemObserverError) in
      try RunStore.open(store, configuration, settings, files, epoch, hub)
    }
    settings.resumed = store?.takeTree()
    settings.awaited = store?.takeAwaited() ?? []
    settings.awaitsStore = store?.isWritable ?? false
    let run: Run
    do throws(FileSystemObserverError) {
      let driver = try makeDriver(configuration, settings, files, epoch, store)
      run = Run(epoch: epoch, configuration: configuration, driver: driver, recorder: settings.recorder, store: store)
    } catch {
      store?.stop()
      throw error
    }
    state.withLock { ($0.run, $0.lastRun) = (run, nil) }
    try begin(run)
  }

  private func begin(_ run: Run) throws(FileSystemObserverError) {
    run.store?.begin(after: run.driver.state) { [weak driver = run.driver] number in
      driver?.perform { $0?.noteStored(through: number) }
    }
    do throws(FileSystemObserverError) {
      try run.driver.begin()
    } catch {
      _ = takeRun { $0.epoch == run.epoch }
      run.store?.stop()
      throw error
    }
  }

  /// What makes digests is a part of the store.
  private func checkContentEvidence(_ configuration: Configuration) throws(FileSystemObserverError) {
    guard configuration.contentEvidence != .off, store?.digesting == nil else { return }
    throw FileSystemObserverError(
      code: .invalidArgument,
      sentence: "contentEvidence needs a store, where digests are kept: make the observer with one, or set it to off")
  }

  func makeFiles(_ configuration: Configuration) -> GuardedFileSystem {
    GuardedFileSystem(
      HostFileSystem(
        tag: FileTag(name: configuration.tagName), sparesLower: !configuration.tagsFilesOfLowerLayers))
  }

  private func makeDriver(
    _ configuration: Configuration, _ settings: ObservationDriver.HostEngine.Settings, _ files: GuardedFileSystem,
    _ epoch: UInt64, _ store: RunStore?
  ) throws(FileSystemObserverError) -> ObservationDriver {
    let hub = hub
    let announcer = Announcer(
      directory: configuration.directory, epoch: epoch, policy: configuration.rootLossPolicy,
      rootMoved: { [weak self] path in self?.rootMoved(to: path, epoch) })
    var contents: ContentUse?
    if configuration.contentEvidence != .off, let digesting = self.store?.digesting {
      contents = ContentUse(digesting: digesting) { store?.noteContents() }
    }
    return try ObservationDriver(
      settings: settings, files: files, rootLossPolicy: configuration.rootLossPolicy, blocks: ownQueue,
      contents: contents,
      makeSource: { wait throws(Errno) in try configuration.makeSource(files, wait) }, scopes: { hub.scopes },
      details: { hub.details },
      emit: { output in
        // First the store: a listener that resumes finds each set there that it was added too late for.
        store?.note(output)
        announcer.announce(output, to: hub)
      },
      finished: { [weak self] error in self?.observationEnded(epoch, error) })
  }

  /// Starts observation without blocking the calling thread on the disk.
  ///
  /// Does the same as the synchronous call, which is for programs without concurrency. Returns before the first scan is
  /// complete.
  ///
  /// - Throws: The same errors as the synchronous call.
  public func start() async throws(FileSystemObserverError) {
    try await offThread { () throws(FileSystemObserverError) in
      try self.start(warningAfter: 1, StandardError.write)
    }
  }

  /// Stops observation without blocking the calling thread; see the synchronous call.
  public func stop() async {
    await offThread { self.endRun() }
  }

  /// Stops observation.
  ///
  /// When it returns, observation has stopped; events announced before may still be delivered. It takes less than two
  /// seconds: a thread that is stuck in the kernel, because a disk or a server does not answer, is left behind.
  /// Sequences end after these events; blocks and queues also get the events of the next start.
  ///
  /// Documents that are being saved get their tags, so that a program may save and end.
  ///
  /// With a store, it takes up to two seconds more: the store gets what was announced last.
  ///
  /// A second call does nothing. It may be called on any thread, also in a notification block.
  public func stop() { endRun() }

  private func endRun() {
    hub.allowWaiting(false)
    lifecycle.withLock { _ in
      defer { hub.setStopped(true) }
      let wasWaiting = endWaiting()
      let run = takeRun(where: { _ in true })
      guard wasWaiting || run != nil else { return }
      run?.stop()
      hub.endObservation()
    }
  }

  /// Handles the end of the engine's thread.
  ///
  /// Removes the run before the end is announced, so that a block may start the observer again.
  private func observationEnded(_ epoch: UInt64, _ error: FileSystemObserverError) {
    guard let run = takeRun(where: { $0.epoch == epoch }) else { return }
    run.stop()
    hub.endObservation(error)
  }

  /// Look-ups and the next start use the directory's new path.
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
      state.lastRun = PastRun(run)
      return run
    }
  }
}

extension FileSystemObserver.Configuration {
  /// The time windows.
  ///
  /// None is shorter than a millisecond: it would end before the look that it waits for, which would then be repeated
  /// without end.
  private var timing: Classifier.Timing {
    func window(_ duration: Duration) -> Int64 { max(1_000_000, duration.wholeNanoseconds) }
    return Classifier.Timing(
      settle: window(deletionDelay), quiet: window(quietPeriod), flashGuard: window(announcementDelay),
      modificationInterval: window(modificationInterval))
  }

  func settings() throws(FileSystemObserverError) -> ObservationDriver.HostEngine.Settings {
    try check()
    var settings = ObservationDriver.HostEngine.Settings(path: directory)
    settings.patterns = NameRules(namePatterns)
    settings.filter = try filter()
    settings.timing = timing
    settings.writesTags = tagging != .never
    settings.tagsWhatIsFound = tagging == .always
    settings.progressInterval = progressInterval.wholeNanoseconds
    settings.followsRoot = rootLossPolicy == .follow
    settings.scanThreads = processorCount
    settings.contentSizes = contentSizes
    settings.contentDelay = contentDelay.wholeNanoseconds
    // Leave most of the process's descriptors to the app.
    if let limit = ResourceLimit.descriptorLimits?.soft { settings.openDirectories = Int(min(256, limit / 8)) }
    return settings
  }

  /// The filter for the observed items.
  func filter() throws(FileSystemObserverError) -> ItemFilter {
    ItemFilter(
      includesHidden: includesHiddenItems, levels: depth, excluded: try Self.patterns(excludedPatterns),
      included: try Self.patterns(includedPatterns), selected: selectedFolders)
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

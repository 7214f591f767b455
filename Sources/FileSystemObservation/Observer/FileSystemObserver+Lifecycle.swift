internal import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Begins to observe.
  ///
  /// Returns as soon as the folder is open; the first scan runs on a thread of the observer's own, and what it finds is told in one
  /// change set between `willBeginFullScan` and `didCompleteFullScan`.
  ///
  /// Whoever wants to be told must listen by then. If nobody does, one line on standard error says so, once for each observer, unless
  /// ``ObservationOptions/warnsWithoutListeners`` is off.
  ///
  /// - Throws: `rootNotFound`, `rootNotDirectory`, `rootNotReadable`, `rootNotAnswering` (after less than two seconds),
  ///   `alreadyRunning`, `limitReached`, or `invalidArgument` for a URL that names no folder of this machine, a malformed pattern, or an
  ///   option out of its range.
  public func start() throws(ObservationError) {
    try start(warn: StandardError.write)
  }

  /// The same, with a place for the warning that nobody listens.
  package func start(warn: (String) -> Void) throws(ObservationError) {
    let result = lifecycle.withLock { _ -> Result<Void, ObservationError> in
      do throws(ObservationError) {
        try startAlone()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    warnWithoutListeners(warn)
  }

  private func warnWithoutListeners(_ warn: (String) -> Void) {
    guard hub.isEmpty else { return }
    let directory = state.withLock { state -> FilePath? in
      guard state.options.warnsWithoutListeners, !state.hasWarned else { return nil }
      state.hasWarned = true
      return state.directory
    }
    guard let directory else { return }
    warn(
      "FileSystemObservation: nobody listens to the observer of \(directory.string.debugDescription). Keep the token of "
        + "addNotificationBlock as long as you want to be told (a local variable is let go of after its last use), or ask for "
        + "`changes` before start(). If look-ups are all you want, set warnsWithoutListeners to false.")
  }

  private func startAlone() throws(ObservationError) {
    var current = state.withLock { $0 }
    if current.driver != nil {
      throw ObservationError(
        code: .alreadyRunning, sentence: "the observer of \(current.directory) runs already; stop it first",
        path: current.directory)
    }
    let settings = try Self.settings(current)
    let run = current.run + 1
    hub.allowWaiting(true)
    let directory = current.directory
    let hub = hub
    let rootLoss = current.options.rootLoss
    let files = GuardedFileSystem(
      HostFileSystem(tag: FileTag(name: current.options.tagName), sparesLower: !current.options.tagsLowerFiles))
    current.driver = try ObservationDriver(
      settings: settings, files: files, rootLoss: rootLoss, blocks: ownQueue,
      makeSource: { [options = current.options] wait throws(Errno) in try options.makeSource(files, wait) },
      emit: { output in
        // Where observation ends, `didEnd` says so.
        if case .rootLost = output, rootLoss == .end { return }
        hub.post(ObservationNotification(output, directory))
      },
      finished: { [weak self] error in self?.observationEnded(run, error) })
    let driver = current.driver
    state.withLock { state in
      state.driver = driver
      state.lastKnown = nil
      state.run = run
    }
  }

  private static func settings(_ state: State) throws(ObservationError) -> ObservationDriver.HostEngine.Settings {
    let options = state.options
    try checkDirectory(state)
    if let levels = state.includedDirectoryLevels, levels < 0 {
      throw ObservationError(
        code: .invalidArgument, sentence: "includedDirectoryLevels is \(levels); it must be 0 or more, or nil for all")
    }
    try options.check()
    var settings = ObservationDriver.HostEngine.Settings(path: state.directory)
    settings.patterns = NameRules(options.namePatterns)
    settings.filter = ItemFilter(
      includesHidden: options.includesHiddenItems, levels: state.includedDirectoryLevels,
      excluded: try patterns(state.excludedItems), included: try patterns(state.includedItems))
    settings.timing = Classifier.Timing(
      settle: options.settleWindow.wholeNanoseconds, quiet: options.quietPeriod.wholeNanoseconds,
      flashGuard: options.flashGuard.wholeNanoseconds,
      modificationInterval: options.modificationInterval.wholeNanoseconds)
    settings.writesTags = options.writesTags
    settings.scanThreads = processorCount
    // The app wants most of what it may open for itself.
    if let limit = ResourceLimit.descriptorLimits?.soft { settings.openDirectories = Int(min(256, limit / 8)) }
    return settings
  }

  private static func checkDirectory(_ state: State) throws(ObservationError) {
    if let (url, reason) = state.unusableDirectory { throw reason.error(for: url) }
    guard state.directory.isAbsolute else {
      throw ObservationError(
        code: .invalidArgument,
        sentence: "the path \"\(state.directory)\" does not begin with a slash; give the folder by its absolute path",
        path: state.directory)
    }
  }

  private static func patterns(_ strings: [String]) throws(ObservationError) -> PathPatternList {
    do {
      return try PathPatternList(strings)
    } catch {
      throw ObservationError(
        code: .invalidArgument,
        sentence: "the pattern \"\(error.pattern)\" matches nothing: \(error.reason.explanation)")
    }
  }

  /// Ends observation.
  ///
  /// When it returns, nothing is observed any more; notifications of what was seen before may still be delivered. That takes less than two
  /// seconds: a thread that is stuck in the kernel, for a disk or a server does not answer, is left behind.
  /// Sequences end after these notifications; blocks are told of the next start.
  ///
  /// Doing it twice does nothing. It may be called from a notification block.
  public func stop() {
    hub.allowWaiting(false)
    lifecycle.withLock { _ in
      let driver = state.withLock { state in
        defer { state.driver = nil }
        state.lastKnown = state.driver?.state ?? state.lastKnown
        return state.driver
      }
      driver?.stop()
      if driver != nil { hub.endObservation() }
    }
  }

  /// The engine's thread ends: it is taken out before it is told, so that a block may start the observer anew.
  private func observationEnded(_ run: Int, _ error: ObservationError) {
    let ended = state.withLock { state -> ObservationDriver? in
      guard state.run == run else { return nil }
      defer { state.driver = nil }
      state.lastKnown = state.driver?.state ?? state.lastKnown
      return state.driver
    }
    guard let ended else { return }
    ended.stop()
    hub.endObservation(error)
  }
}

extension ObservationNotification {
  init(_ output: EngineOutput, _ directory: FilePath) {
    switch output {
    case .willScan(let reason): self = .willBeginFullScan(reason)
    case .didScan(let summary): self = .didCompleteFullScan(summary)
    case .discovered(let inventory, let sequence):
      self = .didChange(ChangeSet(inventory, sequence: sequence, directory: directory))
    case .changes(let log, let snapshot, let sequence):
      self = .didChange(ChangeSet(log, snapshot, sequence: sequence, directory: directory))
    case .diagnostic(let diagnostic): self = .diagnostic(diagnostic)
    case .rootLost(let error):
      self = .diagnostic(Diagnostic(code: .rootLost, message: "\(error.message)", path: error.path, errno: error.errno))
    }
  }
}

import FileIdentity
import LinuxFileSystem
import SystemPackage

// Recordings as text.

extension FlightRecorder {
  /// The recording as text.
  ///
  /// - Parameters:
  ///   - state: Knows the present paths of directories; `nil` if that is gone.
  ///   - hidingNames: Whether hashes replace names.
  func text(_ state: ObservationState?, hidingNames: Bool) -> String {
    let snapshot = snapshot()
    var recording = FlightRecording(snapshot, hidingNames: hidingNames)
    let subject = subject.withLock { $0 }
    recording.append("settings " + subject.settings)
    recording.append("root path=\(recording.path(subject.path)) " + subject.root)
    // A pattern may be a name.
    if !hidingNames { for pattern in subject.patterns { recording.append(pattern) } }
    if let state { append(directories(in: snapshot, state), to: &recording) }
    for record in snapshot.records { recording.append(record) }
    return recording.text
  }

  /// The recording as text, for a program with an engine of its own.
  package func text() -> String { text(nil, hidingNames: false) }

  private func append(_ directories: [(id: UInt32, path: [UInt8])], to recording: inout FlightRecording) {
    for (id, path) in directories { recording.append("directory node=\(id) path=\(recording.path(path))") }
  }

  /// The directories that the records mention and that still exist.
  private func directories(in snapshot: Snapshot, _ state: ObservationState) -> [(id: UInt32, path: [UInt8])] {
    let mentioned = Set(snapshot.records.compactMap { $0.record.directory }).sorted()
    return state.classify { classifier in
      mentioned.compactMap { number in
        let id = NodeID(rawValue: number)
        guard classifier.graph.isLive(id) else { return nil }
        return (number, classifier.graph.storage.path(of: id))
      }
    }
  }
}

extension FlightRecord {
  /// The number of the directory that the record mentions.
  fileprivate var directory: UInt32? {
    switch kind {
    case .look, .waits, .lease, .open, .decision, .tag, .listed, .mark: UInt32(truncatingIfNeeded: payload[0])
    case .scan, .scanned: number
    case .step, .hint, .unmark, .published, .overflow, .answer, .operation: nil
    }
  }
}

extension Engine.Settings {
  /// The settings in the head of a recording.
  ///
  /// - Parameters:
  ///   - fields: The fields of the line `settings`.
  ///   - excluded: The patterns of items to leave out.
  ///   - included: The patterns of items to observe alone.
  ///   - selected: The folders that alone are observed.
  package init(
    path: FilePath, recorded fields: [String: String], excluded: [String], included: [String],
    selected: SelectedFolders = SelectedFolders()
  ) {
    self.init(path: path)
    func time(_ name: String, _ usual: Int64) -> Int64 { fields[name].flatMap { Int64($0) } ?? usual }
    timing = Classifier.Timing(
      settle: time("settle", timing.settle), quiet: time("quiet", timing.quiet),
      flashGuard: time("guard", timing.flashGuard),
      modificationInterval: time("interval", timing.modificationInterval))
    writesTags = fields["tags"] == "yes"
    tagsWhatIsFound = fields["tagsFound"] == "yes"
    awaitsStore = fields["store"] == "yes"
    // In recordings that do not say it, no look was put off.
    burst = fields["burst"].flatMap { Int($0) } ?? .max
    let patterns = [excluded, included].map { PathPatternList($0.compactMap { try? PathPattern($0) }) }
    filter = ItemFilter(
      includesHidden: fields["hidden"] == "yes", levels: fields["levels"].flatMap { Int($0) }, excluded: patterns[0],
      included: patterns[1], selected: selected)
    scanThreads = 0
  }
}

extension FlightRecorder.Subject {
  init<Files, Source>(_ settings: Engine<Files, Source>.Settings, _ status: FileStatus, _ uuid: UUIDBits) {
    let (timing, filter) = (settings.timing, settings.filter)
    path = settings.path.bytes
    root =
      "inode=\(status.inode) device=\(status.device) born=\(status.born) links=\(status.linkCount)"
      + " modified=\(status.modified) changed=\(status.changed) uuid=\(uuid.text)"
    self.settings =
      "settle=\(timing.settle) quiet=\(timing.quiet) guard=\(timing.flashGuard) interval=\(timing.modificationInterval)"
      + " tags=\(settings.writesTags ? "yes" : "no") tagsFound=\(settings.tagsWhatIsFound ? "yes" : "no")"
      + " burst=\(settings.burst) store=\(settings.awaitsStore ? "yes" : "no")"
      + " hidden=\(filter.includesHidden ? "yes" : "no") levels=\(filter.levels.map { "\($0)" } ?? "all")"
  }
}

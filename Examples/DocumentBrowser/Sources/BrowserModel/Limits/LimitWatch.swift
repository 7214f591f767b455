public import FileSystemObservation
internal import SystemPackage

/// Collects what keeps the app from knowing everything, and decides what is shown.
@MainActor public final class LimitWatch {
  /// Called when ``current`` is another.
  public var onChange: (() -> Void)?
  /// The gravest limit that was not dismissed; `nil` if all is well.
  public private(set) var current: Limit?

  private var limits: [Limit.Kind: Limit] = [:]
  private var dismissed: Set<Limit> = []

  /// Makes a watch that knows of no limit.
  public init() {}

  /// Takes an event of the observer; only diagnostics, scans and the end matter.
  public func take(_ event: FileSystemObserver.Event) {
    switch event {
    case .diagnostic(let diagnostic): Limit(diagnostic).map(note)
    case .didCompleteFullScan(let summary):
      // What was out of reach before the scan is not now, or was reported again.
      limits[.folderLost] = nil
      if summary.untaggedReason != nil, limits[.noTags] == nil {
        note(Limit(FileSystemObserver.Diagnostic(code: .tagNotWritten, message: "", errno: summary.untaggedReason)))
      }
    case .rootMoved: limits[.folderLost] = nil
    case .didEnd(let error):
      note(Limit(.folderLost, title: "The folder is not observed any more", advice: error.message.asSentence))
    default: return
    }
    decide()
  }

  /// Takes an error of what the app keeps.
  public func take(_ error: BrowserStateError) { add(Limit(error)) }

  /// Adds a limit.
  public func add(_ limit: Limit) {
    note(limit)
    decide()
  }

  /// Takes what an examination of the folder has found: file systems on which changes are found by looking only.
  ///
  /// An examination walks the whole tree: make it on another thread.
  public func take(_ examination: FileSystemObserver.Examination) {
    let polled = examination.mounts.filter { $0.source == .polling && $0.directoryCount > 0 }
    guard !polled.isEmpty else { return }
    add(Limit(polledTypes: Array(Set(polled.map(\.type))).sorted()))
  }

  /// Does not show a limit again, unless it changes.
  public func dismiss(_ limit: Limit) {
    dismissed.insert(limit)
    decide()
  }

  /// Forgets what is of the folder, because another is opened.
  ///
  /// What the app cannot keep stays.
  public func removeAll() {
    limits = limits.filter { $0.key == .notKept }
    decide()
  }

  private func note(_ limit: Limit?) {
    if let limit { limits[limit.kind] = limit }
  }

  private func decide() {
    let next = limits.values.filter { !dismissed.contains($0) }.min { $0.kind < $1.kind }
    guard next != current else { return }
    current = next
    onChange?()
  }
}

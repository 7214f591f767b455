public import FileSystemObservation
public import Foundation
internal import Synchronization
internal import SystemPackage

/// The annotations of documents, by their UUIDs.
///
/// All are in memory, so that reading one never fails and costs nothing. A change is written at once. The annotation of
/// a document that is deleted stays for a year, for the document may come back from the trash, or from outside.
@MainActor public final class Annotations {
  /// Called after a change with the UUIDs of the documents whose annotations are others now.
  public var onChange: ((Set<UUID>) -> Void)?

  private let file: StateFile
  private var values: DocumentValues<Annotation>
  private let unwritten = UnwrittenChanges()

  init(in file: StateFile) throws(BrowserStateError) {
    self.file = file
    values = DocumentValues(records: try file.read { try $0.annotations() })
  }

  /// Opens the annotations in a file, which is made if it is missing.
  ///
  /// Blocks on the disk.
  ///
  /// - Parameter path: The path of the file; the folders above it exist.
  /// - Throws: ``BrowserStateError`` if the file cannot be used.
  public convenience init(at path: FilePath) throws(BrowserStateError) {
    try self.init(in: StateFile(at: path))
  }

  /// The annotation of a document; an empty one if nothing is noted.
  public subscript(uuid: UUID) -> Annotation { values[uuid] ?? Annotation() }

  /// The documents that have an annotation, also those that are gone.
  public var annotated: some Collection<UUID> { values.uuids }

  /// Notes something about a document.
  ///
  /// It is on its way to the disk when this returns, and survives the app's end.
  ///
  /// - Throws: ``BrowserStateError`` if it cannot be written. Then nothing has changed.
  public func set(_ annotation: Annotation, for uuid: UUID) throws(BrowserStateError) {
    guard annotation != self[uuid] else { return }
    try write { values in
      values[uuid] = annotation.isEmpty ? nil : annotation
      return [uuid]
    }
  }

  /// Takes the changes of a set: a copy gets the label and the note of its original.
  ///
  /// Taking a set twice does no harm: a copy that has an annotation of its own keeps it.
  public func apply(_ changes: FileSystemChanges) { apply([.didChange(changes)], at: .now, from: nil) }

  /// Takes events, and keeps the cursor after them in the same transaction.
  ///
  /// Does not wait for the disk.
  func apply(_ events: [FileSystemObserver.Event], at date: Date, from cursor: FolderCursor?) {
    var changed: Set<UUID> = []
    for event in events { changed.formUnion(values.apply(event, at: date, copied: \.ofCopy)) }
    for records in unwritten.takeAll() { values.putBack(records) }
    let records = values.takeChanges()
    guard !records.isEmpty || cursor != nil else { return }
    file.writeLater { state in
      try state.put(records)
      if let cursor { try state.put(cursor) }
    } onFailure: { [unwritten] in
      unwritten.add(records)
    }
    if !changed.isEmpty { onChange?(changed) }
  }

  /// Forgets the annotations of documents that have been gone for a long time.
  ///
  /// - Parameter limit: How long, in seconds; by default a year.
  /// - Throws: ``BrowserStateError`` if it cannot be written. Then nothing has changed.
  public func prune(goneFor limit: TimeInterval = 365 * 24 * 3600, at date: Date = .now) throws(BrowserStateError) {
    try write { $0.forget(goneBefore: date.addingTimeInterval(-limit)) }
  }

  /// Changes annotations once they are written.
  private func write(_ change: (inout DocumentValues<Annotation>) -> Set<UUID>) throws(BrowserStateError) {
    var next = values
    let changed = change(&next)
    let records = next.takeChanges()
    if !records.isEmpty { try file.write { try $0.put(records) } }
    values = next
    if !changed.isEmpty { onChange?(changed) }
  }
}

/// What could not be written, and is written with what comes next.
private final class UnwrittenChanges: Sendable {
  private let changes = Mutex<[DocumentValues<Annotation>.RecordChanges]>([])

  func add(_ next: DocumentValues<Annotation>.RecordChanges) { changes.withLock { $0.append(next) } }

  func takeAll() -> [DocumentValues<Annotation>.RecordChanges] {
    changes.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }
}

public import FileSystemObservation
public import Foundation
internal import SystemPackage

/// The annotations of documents, by their UUIDs.
///
/// All are in memory, so that reading one never fails and costs nothing. A change is written at once. The annotation of
/// a document that is deleted stays for a year, for the document may come back from the trash, or from outside.
@MainActor public final class Annotations {
  /// An annotation with what the file needs to know of it.
  struct Row: Sendable, Hashable {
    var annotation: Annotation
    /// When the document was found to be gone; `nil` while it is there.
    var goneSince: Date?
  }

  /// Called after a change with the UUIDs of the documents whose annotations are others now.
  public var onChange: ((Set<UUID>) -> Void)?

  private let file: StateFile
  private var rows: [UUID: Row]

  init(in file: StateFile) throws(BrowserStateError) {
    self.file = file
    rows = try file.read { try $0.annotations() }
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
  public subscript(uuid: UUID) -> Annotation { rows[uuid]?.annotation ?? Annotation() }

  /// The documents that have an annotation, also those that are gone.
  public var annotated: some Collection<UUID> { rows.keys }

  /// Notes something about a document.
  ///
  /// It is on its way to the disk when this returns, and survives the app's end.
  ///
  /// - Throws: ``BrowserStateError`` if it cannot be written. Then nothing has changed.
  public func set(_ annotation: Annotation, for uuid: UUID) throws(BrowserStateError) {
    guard annotation != self[uuid] else { return }
    let row = annotation.isEmpty ? nil : Row(annotation: annotation, goneSince: nil)
    try file.write { try $0.put(row, for: uuid) }
    rows[uuid] = row
    onChange?([uuid])
  }

  /// Takes the changes of a set: a copy gets the label and the note of its original.
  ///
  /// Taking a set twice does no harm: a copy that has an annotation of its own keeps it.
  public func apply(_ changes: FileSystemChanges) { apply(AnnotationNews(changes)) }

  /// Takes the news of a set of changes, which may have been made on another thread.
  public func apply(_ news: AnnotationNews) { apply(news, at: .now, from: nil) }

  /// Takes the news, and keeps the cursor after them in the same transaction.
  ///
  /// Does not wait for the disk.
  func apply(_ news: AnnotationNews, at date: Date, from cursor: FolderCursor?) {
    let changed = changedRows(news, at: date)
    guard !changed.isEmpty || cursor != nil else { return }
    file.writeLater { state in
      for (uuid, row) in changed { try state.put(row, for: uuid) }
      if let cursor { try state.put(cursor) }
    }
    let visible = changed.filter { $0.value.annotation != self[$0.key] }.map(\.key)
    rows.merge(changed) { $1 }
    if !visible.isEmpty { onChange?(Set(visible)) }
  }

  /// The rows that the news change.
  ///
  /// Most documents have no annotation, so that the smaller of both sets is looked through.
  private func changedRows(_ news: AnnotationNews, at date: Date) -> [UUID: Row] {
    var changed: [UUID: Row] = [:]
    for copy in news.copies where rows[copy.copy] == nil {
      guard let original = changed[copy.original] ?? rows[copy.original] else { continue }
      let annotation = original.annotation.ofCopy
      if !annotation.isEmpty { changed[copy.copy] = Row(annotation: annotation) }
    }
    for uuid in annotated(among: news.gone) where rows[uuid]?.goneSince == nil {
      changed[uuid, default: rows[uuid]].goneSince = date
    }
    for uuid in annotated(among: news.present) where rows[uuid]?.goneSince != nil {
      changed[uuid, default: rows[uuid]].goneSince = nil
    }
    return changed
  }

  private func annotated(among uuids: Set<UUID>) -> [UUID] {
    uuids.count < rows.count ? uuids.filter { rows[$0] != nil } : rows.keys.filter { uuids.contains($0) }
  }

  /// Forgets the annotations of documents that have been gone for a long time.
  ///
  /// - Parameter limit: How long, in seconds; by default a year.
  /// - Throws: ``BrowserStateError`` if it cannot be written. Then nothing has changed.
  public func prune(goneFor limit: TimeInterval = 365 * 24 * 3600, at date: Date = .now) throws(BrowserStateError) {
    let old = rows.filter { $0.value.goneSince.map { date.timeIntervalSince($0) > limit } ?? false }.map(\.key)
    guard !old.isEmpty else { return }
    try file.write { state in
      for uuid in old { try state.put(nil, for: uuid) }
    }
    for uuid in old { rows[uuid] = nil }
    onChange?(Set(old))
  }
}

extension [UUID: Annotations.Row] {
  /// A row of this dictionary, or a copy of another to change; a row that is in neither stays empty.
  fileprivate subscript(uuid: UUID, default other: Annotations.Row?) -> Annotations.Row {
    get { self[uuid] ?? other ?? Annotations.Row(annotation: Annotation()) }
    set { self[uuid] = newValue }
  }
}

public import FileSystemObservation
public import Foundation
public import SystemPackage

/// What happened to which document, in sentences, the newest first.
///
/// What belongs together is one entry: a rename and a save of one document within some seconds, or a thousand documents
/// that are copied into a folder.
@MainActor public final class ActivityFeed {
  /// One entry: `report.odt` `was renamed from draft.odt, saved by another program`.
  public struct Entry: Sendable, Hashable, Identifiable {
    /// The number of the entry, which stays the same when the entry changes.
    public let id: Int
    /// When the last of it happened; of what happened while the app was not running, when it was found.
    public let date: Date
    /// The document; `nil` if there are many, or none.
    public let uuid: UUID?
    /// Where the document is, or was; of many, their folder.
    public let path: FilePath?
    /// The name of a symbolic icon of the theme.
    public let iconName: String
    /// What it happened to, for example `report.odt`, or `1,204 documents`.
    public let title: String
    /// What happened, for example `was renamed from draft.odt`.
    public let detail: String
    /// Whether it happened while the app was not running.
    public let isWhileAway: Bool
  }

  /// A replacement of consecutive entries.
  public typealias Splice = FileSystemItemList.Changes.Splice

  /// The entries, the newest first.
  public private(set) var entries: [Entry] = []
  /// Called after the entries have changed, with what was replaced.
  public var onChange: ((Splice) -> Void)?

  private var ledger: ActivityLedger
  private var isCatchingUp = false

  /// Makes an empty feed.
  ///
  /// - Parameters:
  ///   - folder: The folder that is open.
  ///   - limit: How many entries are kept; of more, the oldest go.
  public init(of folder: FilePath, limit: Int = 300) { ledger = ActivityLedger(root: folder, limit: limit) }

  /// The entries of what happened while the app was not running, the newest first.
  public var whileAway: [Entry] { entries.filter(\.isWhileAway) }

  /// Takes an event of the observer of the folder.
  public func take(_ event: FileSystemObserver.Event, at date: Date = .now) {
    switch event {
    case .willBeginFullScan(let reason): isCatchingUp = reason == .resumed
    case .didCompleteFullScan: isCatchingUp = false
    case .didChange(let changes): take(ActivityDigest(changes, isWhileAway: isCatchingUp), at: date)
    case .rootMoved(_, let path): follow(to: path)
    default: break
    }
  }

  /// Takes the digest of a set of changes, which may have been made on another thread.
  public func take(_ digest: ActivityDigest, at date: Date = .now) { take([digest], at: date) }

  /// Takes the digests of several sets of changes, in their order; the entries change once.
  public func take(_ digests: some Sequence<ActivityDigest>, at date: Date = .now) {
    for digest in digests { ledger.take(digest, at: date) }
    publish()
  }

  /// The open folder is at another path now.
  public func follow(to path: FilePath) { ledger.root = path }

  /// Removes all entries.
  public func removeAll() {
    ledger.removeAll()
    publish()
  }

  private func publish() {
    let next = ledger.entries
    guard let splice = Self.splice(entries, next) else { return }
    entries = next
    onChange?(splice)
  }

  /// The one replacement that makes the first list the second; `nil` if they are equal.
  nonisolated static func splice(_ old: [Entry], _ new: [Entry]) -> Splice? {
    let start = zip(old, new).prefix { $0 == $1 }.count
    if start == old.count, start == new.count { return nil }
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    return Splice(position: start, removed: old.count - start - end, added: new.count - start - end)
  }
}

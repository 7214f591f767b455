/// What is wanted of a directory.
package enum MarkScope: Sendable {
  /// Everything that happens to its entries.
  case entries
  /// The same of a directory that is about to be tagged, with changes of attributes only where a mark can be narrowed:
  /// a mask of inotify is added to and never replaced, for what happens in that moment would not be told.
  case entriesToTag
  /// The same without changes of attributes: while the scan writes tags, each of them would come back.
  case entriesWithoutAttributes
  /// Whether an entry is removed or renamed, or the directory itself is renamed. For the parent of what is observed.
  case departures
  /// Whether the directory itself is renamed. For the directories further above.
  case itself
}

extension MarkScope {
  /// What a source takes it for that can narrow its marks.
  package var whereMarksCanBeNarrowed: MarkScope { self == .entriesToTag ? .entries : self }

  /// Whether what happens to entries is wanted at all.
  var observesEntries: Bool {
    switch self {
    case .entries, .entriesToTag, .entriesWithoutAttributes: true
    case .departures, .itself: false
    }
  }

  /// Whether all that happens to the entries is wanted.
  var wantsEntries: Bool { self == .entries || self == .entriesWithoutAttributes }
}

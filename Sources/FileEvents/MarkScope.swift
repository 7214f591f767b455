/// Which changes of a directory are reported.
package enum MarkScope: Sendable {
  /// All changes of its entries.
  case entries
  /// The same for a directory that will be tagged. Changes of attributes are included only if the mark can be narrowed:
  /// inotify masks are never replaced, because the kernel loses events meanwhile.
  case entriesToTag
  /// The same without attribute changes, because each tag that the scan writes would be reported.
  case entriesWithoutAttributes
  /// Entries removed or renamed, and renames of the directory itself. For the parent of the observed directory.
  case departures
  /// Renames of the directory itself. For the directories further above.
  case itself
}

extension MarkScope {
  /// The scope for a source that can narrow its marks.
  package var whereMarksCanBeNarrowed: MarkScope { self == .entriesToTag ? .entries : self }

  /// Whether any change of entries is reported.
  var observesEntries: Bool {
    switch self {
    case .entries, .entriesToTag, .entriesWithoutAttributes: true
    case .departures, .itself: false
    }
  }

  /// Whether all changes of entries are reported, and the scope is final.
  var wantsEntries: Bool { self == .entries || self == .entriesWithoutAttributes }
}

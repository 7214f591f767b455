// What polling cannot see: how changes came about. All tests that expect less of polling use this.

extension TestSource {
  /// Whether the source sees every step, and not only the result half a second later.
  package static var seesEveryStep: Bool { named != .polling }

  /// The expected lines for this source.
  ///
  /// Polling does not see a rename to an unobserved place: the item is removed. It does look into the trash.
  package static func expected(_ announced: [String]) -> [String] {
    if seesEveryStep { return announced }
    return announced.map { line in
      let prefix = "deleted(movedOut)"
      return line.hasPrefix(prefix) ? "deleted(removed)" + line.dropFirst(prefix.count) : line
    }
  }

  /// Recordings with steps that polling cannot see.
  ///
  /// In them a document and another file change places or names between two looks, in a way that only the order of the
  /// steps shows, or the document is saved twice within a second, each time with another backup. The announcements in
  /// the end still match the disk exactly.
  package static let recordingsWithUnseenSteps: Set<String> = [
    "blender-save-first", "blender-save-versions", "emacs-backup-when-linked",
    "freecad-save", "gnucash-save", "replacefile-backup",
    "unheard-aside-kept", "unheard-exchange-kept", "unheard-link-kept",
  ]
}

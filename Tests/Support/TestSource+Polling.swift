// What polling cannot see: how things came to be. Tests that want to hear of it expect less of polling, and this is all
// of it.

extension TestSource {
  /// Whether every step of what happens is seen, and not only what has become of it half a second later.
  package static var seesEveryStep: Bool { named != .polling }

  /// What is to be expected where a test expects this.
  ///
  /// Nobody sees that something was renamed to a place that is not observed: it is gone. The trash is looked at.
  package static func expected(_ announced: [String]) -> [String] {
    if seesEveryStep { return announced }
    return announced.map { line in
      let prefix = "deleted(movedOut)"
      return line.hasPrefix(prefix) ? "deleted(removed)" + line.dropFirst(prefix.count) : line
    }
  }

  /// Recordings in which a document and another file change places or names between two looks, in a way that only the
  /// order of what was done tells apart, or in which it is saved twice within a second, each time by way of another
  /// backup; what is told in the end is still exactly what is there.
  package static let recordingsWithUnseenSteps: Set<String> = [
    "blender-save-first", "blender-save-versions", "dpkg-conffile-old", "emacs-backup-when-linked", "exiftool",
    "freecad-save", "gnucash-save", "replacefile-backup",
    "unheard-aside-kept", "unheard-exchange-kept", "unheard-link-kept",
  ]
}

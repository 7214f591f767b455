extension FileSystemObserver {
  /// Name patterns for backups, incomplete files and temporary files.
  ///
  /// The observer recognises most saves by their events, without a pattern, and a needless pattern costs only a short
  /// delay. The name of a backup decides where events do not: if the next version is made only after the rename to the
  /// backup, within the deletion delay; with polling; and after two saves while the observer did not run.
  ///
  /// Each pattern is a name with one `*`. In ``backups`` and ``pendingSiblings`` the `*` stands for the name of the
  /// file in question, in the others for any text but the empty one. There are no other special characters, and case
  /// matters.
  public struct NamePatterns: Sendable, Hashable, Codable {
    /// Names of a document's backups: `"*~"` means that `report.txt~` is a backup of `report.txt`.
    ///
    /// If the text after the `*` begins with a dot, it may also replace the document's extension, and other text may
    /// precede it: `"*.bak"` covers `report.bak` and `report.txt.2024.bak`. A document's rename to such a name is
    /// announced only after the deletion delay, since its program may be about to write it anew.
    public var backups = [
      "*~", "*.bak", "*.backup", "*.orig", "*.old", "*.save", "*.BAK", "*.sav", "*.bck", "#*#", "~*",
    ]
    /// Whether `report.txt.~12~` is a backup of `report.txt`, as in emacs and `cp --backup=numbered`.
    public var includesNumberedBackups = true
    /// Whether a name that goes on after the document's extension is that of a backup: `photo.jpg_original` of
    /// `photo.jpg`, as with exiftool, or `report.odt.before-merge` of `report.odt`.
    ///
    /// What follows does not begin with a letter or digit, and has a letter in it: `app.log.1` and `app.log-20261129` are
    /// logs of their own. It does not mark a download or a journal. After a restart without a store, a file about the
    /// document may have such a name: what ends with another extension, as `photo.jpg.xmp`, is no backup then.
    public var includesContinuedNames = true
    /// Names of incomplete files, mostly downloads.
    ///
    /// Such a file counts as complete only after half a minute without a change, but at once under its final name.
    /// Until then, an empty file beside it with the same extension is incomplete too, since it may be the download's
    /// placeholder.
    public var partials = [
      "*.part", "*.crdownload", "*.partial", "*.filepart", "*.download", "*.opdownload", "*.wkdownload", "*.!ut",
      "*.!qB",
      "*.!sync", "*.bc!", "*.jc!", "*.xltd", "*.incomplete", "*.downloading", "*.unfinished", "*.aria2__temp",
    ]
    /// Names of siblings that mark a file as incomplete.
    ///
    /// A file is incomplete while such a sibling exists. If the text after the `*` does not begin with a dot, as for
    /// journals, the file is incomplete only while the sibling itself is.
    public var pendingSiblings = ["*.part", "*.crdownload", "*.partial", "*.aria2", "*-journal", "*-wal"]
    /// Names of temporary files that programs use while they save; rare unless hidden items are observed.
    ///
    /// A new file with such a name is announced only after five seconds without a change.
    public var transients = [
      ".goutputstream-*", ".~lock.*#", "lu*.tmp", ".*.swp", ".*.swx", "*.kate-swp", ".#*", "~$*",
    ]

    /// Makes the default patterns.
    public init() {}

    /// Decodes the lists; a missing list gets its default.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.decode(into: &backups, forKey: .backups)
      try values.decode(into: &includesNumberedBackups, forKey: .includesNumberedBackups)
      try values.decode(into: &includesContinuedNames, forKey: .includesContinuedNames)
      try values.decode(into: &partials, forKey: .partials)
      try values.decode(into: &pendingSiblings, forKey: .pendingSiblings)
      try values.decode(into: &transients, forKey: .transients)
    }

    /// All lists with their names, for messages.
    var lists: [(name: String, patterns: [String])] {
      [
        ("backups", backups), ("partials", partials), ("pendingSiblings", pendingSiblings), ("transients", transients),
      ]
    }

    /// The first malformed pattern, with the name of its list.
    var malformed: (list: String, pattern: String)? {
      for (name, patterns) in lists {
        if let wrong = patterns.first(where: { NameTemplate($0) == nil }) { return (name, wrong) }
      }
      return nil
    }
  }
}

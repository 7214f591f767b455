extension FileSystemObserver {
  /// Which names say something about a file: that it is a backup of another, not finished, or there for a moment only.
  ///
  /// Names only shorten a wait or lengthen it; what a save is, is recognised by what happens. So a program that nobody
  /// has heard of is understood without any pattern, and a pattern too many costs a document nothing but a little time.
  /// Saves that nobody saw are the exception: at the next start, only the name of a backup tells that its UUID is the
  /// document's.
  ///
  /// Each pattern is a name with one `*`. In ``backups`` and ``pendingSiblings`` the `*` stands for the name of the
  /// file that is meant, in the others for anything that is not empty. There are no other special characters, and
  /// letters are compared as they are.
  public struct NamePatterns: Sendable, Hashable, Codable {
    /// What a document's backup is called: `"*~"` means that `report.txt~` is one of `report.txt`.
    ///
    /// Where what follows the `*` begins with a dot, it may also stand in place of the document's extension, and more
    /// may come before it: `"*.bak"` covers `report.bak` and `report.txt.2024.bak`. A document that is renamed to such
    /// a name is told of only after the deletion delay: it may be about to be written anew.
    public var backups = [
      "*~", "*.bak", "*.backup", "*.orig", "*.old", "*.save", "*.BAK", "*.sav", "*.bck", "#*#", "~*",
    ]
    /// Whether `report.txt.~12~` is a backup of `report.txt`, as emacs and `cp --backup=numbered` have it.
    public var includesNumberedBackups = true
    /// What a file is called that is not complete: a download, mostly.
    ///
    /// It counts as finished only if it rests for half a minute; under its final name it is finished at once. As long
    /// as it is not, an empty file beside it with the same extension is not finished either: it may be the download's
    /// placeholder.
    public var partials = [
      "*.part", "*.crdownload", "*.partial", "*.filepart", "*.download", "*.opdownload", "*.wkdownload", "*.!ut",
      "*.!qB",
      "*.!sync", "*.bc!", "*.jc!", "*.xltd", "*.incomplete", "*.downloading", "*.unfinished", "*.aria2__temp",
    ]
    /// A file is not finished as long as one of these stands beside it; where what follows the `*` does not begin with
    /// a dot, as for journals, as long as that is not finished itself.
    public var pendingSiblings = ["*.part", "*.crdownload", "*.partial", "*.aria2", "*-journal", "*-wal"]
    /// What programs call files that they need for a moment while they save; seldom seen unless hidden items are
    /// observed.
    ///
    /// A new file of such a name is told of only if it rests for five seconds.
    public var transients = [
      ".goutputstream-*", ".~lock.*#", "lu*.tmp", ".*.swp", ".*.swx", "*.kate-swp", ".#*", "~$*",
    ]

    /// The defaults.
    public init() {}

    /// Decodes the lists; one that is missing has its default.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try values.decode(into: &backups, forKey: .backups)
      try values.decode(into: &includesNumberedBackups, forKey: .includesNumberedBackups)
      try values.decode(into: &partials, forKey: .partials)
      try values.decode(into: &pendingSiblings, forKey: .pendingSiblings)
      try values.decode(into: &transients, forKey: .transients)
    }

    /// Every list, with its name for a message.
    var lists: [(name: String, patterns: [String])] {
      [
        ("backups", backups), ("partials", partials), ("pendingSiblings", pendingSiblings), ("transients", transients),
      ]
    }

    /// The first pattern that cannot be used, and in which list it is.
    var malformed: (list: String, pattern: String)? {
      for (name, patterns) in lists {
        if let wrong = patterns.first(where: { NameTemplate($0) == nil }) { return (name, wrong) }
      }
      return nil
    }
  }
}

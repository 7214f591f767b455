extension FileSystemObserver {
  /// Whether contents of files are evidence of identity.
  ///
  /// A file that comes back without its tag, under another name and in another inode, is a new file: after plain `cp` and
  /// `rm`, `unzip`, a download by a program that keeps no attributes, a stick with FAT. With evidence of contents, a new
  /// file without a tag that has exactly the content of one known file is that file, `renamed` or `moved`, if the known
  /// one is gone; and its copy, `duplicated`, if the known one is still there. This holds for what happens while the
  /// observer runs, and for what has happened between two runs. Where several files could be meant, nothing is.
  ///
  /// For that, files are read from beginning to end, and a digest of each (SHA-256) is kept in the store, not the content.
  /// This happens once for each content: after five seconds in which nothing has happened, on a thread that takes only
  /// what other programs leave of the processor and the disk, and ends at once when something happens. Only regular files
  /// on local disks are read, of the observed folder's own file system, and none that is being written. Access times stay,
  /// except those of files of other users.
  ///
  /// Besides, a new file without a tag is read at once if its size is that of a known one. It is announced then: some
  /// milliseconds later, and after two seconds at the latest even if it could not be read. A deletion waits for up to
  /// four seconds while such a file is written or read.
  ///
  /// Files of less than 64 bytes are never read. They are often equal by chance.
  ///
  /// All observers of one folder should use the same setting: one without evidence gives a new UUID to a file that another
  /// takes for a document that was moved.
  @nonexhaustive
  public enum ContentEvidence: String, Sendable, Hashable, Codable, CaseIterable {
    /// No content is read. Digests in the store are removed.
    case off
    /// The contents of files up to ``Configuration/contentEvidenceLimit`` are read.
    ///
    /// Each takes about 150 bytes of memory and 42 bytes in the store.
    case documents
    /// The contents of all files are read, however large.
    ///
    /// Films and disk images, too: a terabyte takes a disk some hours.
    case all
  }
}

extension FileSystemObserver.Configuration {
  /// Smaller files are often equal by chance: empty templates, markers, counters.
  static let leastContent: Int64 = 64

  /// The sizes of files whose contents are read; `nil` if none is.
  var contentSizes: ClosedRange<Int64>? {
    switch contentEvidence {
    case .off: nil
    case .documents: Self.leastContent...max(Self.leastContent, Int64(contentEvidenceLimit))
    case .all: Self.leastContent ... .max
    }
  }
}

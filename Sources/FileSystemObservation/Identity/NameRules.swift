import LinuxFileSystem

/// `FileSystemObserver.NamePatterns`, parsed for comparison.
struct NameRules: Sendable {
  private let backups: [NameTemplate]
  private let includesNumberedBackups: Bool
  private let includesContinuedNames: Bool
  private let partials: [NameTemplate]
  private let pending: [NameTemplate]
  private let transients: [NameTemplate]

  /// Leaves malformed patterns out; the start of an observer reports them.
  init(_ patterns: FileSystemObserver.NamePatterns = FileSystemObserver.NamePatterns()) {
    backups = patterns.backups.compactMap(NameTemplate.init)
    includesNumberedBackups = patterns.includesNumberedBackups
    includesContinuedNames = patterns.includesContinuedNames
    partials = patterns.partials.compactMap(NameTemplate.init)
    pending = patterns.pendingSiblings.compactMap(NameTemplate.init)
    transients = patterns.transients.compactMap(NameTemplate.init)
  }

  /// Whether a rename of the document `original` to `name` sets it aside as a backup.
  ///
  /// A document that has the name of a backup, such as `report.orig`, is not its own.
  func isBackup(_ name: FileName, of original: FileName) -> Bool {
    if name == original { return false }
    let (name, original) = (name.bytes, original.bytes)
    return backups.contains { Self.isBackup(name, of: original, as: $0) }
      || includesNumberedBackups && isNumberedBackup(name, of: original)
      || isContinuation(name, of: original)
  }

  /// `report.txt.bak`, `report.txt.2024.bak`, and `report.bak`, for `report.txt`.
  private static func isBackup(
    _ name: ArraySlice<UInt8>, of original: ArraySlice<UInt8>, as template: NameTemplate
  ) -> Bool {
    guard let part = template.part(of: name) else { return false }
    if part == original { return true }
    let dot = UInt8(ascii: ".")
    guard template.after.first == dot else { return false }
    if template.before.isEmpty, part.starts(with: original) { return true }
    guard let end = original.lastIndex(of: dot), end > original.startIndex else { return false }
    return part == original[..<end]
  }

  /// `report.txt.~12~`.
  private func isNumberedBackup(_ name: ArraySlice<UInt8>, of original: ArraySlice<UInt8>) -> Bool {
    let tilde = UInt8(ascii: "~")
    let tail = name.dropFirst(original.count)
    guard name.starts(with: original), tail.starts(with: [UInt8(ascii: "."), tilde]), tail.last == tilde
    else { return false }
    let digits = tail.dropFirst(2).dropLast()
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }

  /// `report.txt_original`, and neither `report.txt-2024` nor `report.txts`.
  ///
  /// A name that marks a download, or a journal, is no backup's.
  private func isContinuation(_ name: ArraySlice<UInt8>, of original: ArraySlice<UInt8>) -> Bool {
    guard includesContinuedNames, Self.continues(name, original) else { return false }
    return !Self.matches(name, partials) && !Self.matches(name, pending)
  }

  private static func continues(_ name: ArraySlice<UInt8>, _ original: ArraySlice<UInt8>) -> Bool {
    let tail = name.dropFirst(original.count)
    guard let first = tail.first, !first.isOfWord, tail.contains(where: { $0.isOfWord && !$0.isDigit }) else {
      return false
    }
    return name.starts(with: original) && VersionName.stem(of: original) != nil
  }

  /// Whether a name is that of a backup of some document.
  func isBackup(_ name: FileName) -> Bool { Self.matches(name.bytes, backups) }

  /// The documents whose backup a file is if its name has theirs in a pattern, or with a number.
  func documents(ofBackup name: FileName, in documents: DocumentNames) -> Set<Int> {
    let name = name.bytes
    var found: Set<Int> = []
    for template in backups {
      guard let part = template.part(of: name) else { continue }
      found.formUnion(documents.named(part))
      guard template.after.first == UInt8(ascii: "."), template.before.isEmpty else { continue }
      for end in part.indices.dropFirst() { found.formUnion(documents.named(part[..<end])) }
    }
    if includesNumberedBackups, let end = name.lastIndex(of: UInt8(ascii: ".")), end > name.startIndex,
      isNumberedBackup(name, of: name[..<end])
    {
      found.formUnion(documents.named(name[..<end]))
    }
    return found
  }

  /// The documents that lack only their extensions in the name of a file: `report.txt` and `report.pdf` of `report.bak`.
  func documents(withStemOfBackup name: FileName, in documents: DocumentNames) -> Set<Int> {
    let name = name.bytes
    let stems = backups.filter { $0.after.first == UInt8(ascii: ".") }.compactMap { $0.part(of: name) }
    let found = stems.reduce(into: Set()) { $0.formUnion(documents.withStem($1)) }
    return found.subtracting(documents.named(name))
  }

  /// The documents whose names a file's name continues, as a backup's may, but not to an extension.
  ///
  /// `photo.jpg.xmp`, `film.mkv.en.srt` and `app.log.2.gz` are files of their own.
  func documents(continuedBy name: FileName, in documents: DocumentNames) -> Set<Int> {
    let name = name.bytes
    var found: Set<Int> = []
    guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return found }
    for end in name[dot...].indices.dropFirst()
    where isContinuation(name, of: name[..<end]) && !Self.endsWithExtension(name[end...]) {
      found.formUnion(documents.named(name[..<end]))
    }
    return found
  }

  private static func endsWithExtension(_ tail: ArraySlice<UInt8>) -> Bool {
    tail.lastIndex(of: UInt8(ascii: ".")).map { tail[($0 + 1)...].allSatisfy(\.isOfWord) } ?? false
  }

  /// Whether a name marks an unfinished file.
  func isPartial(_ name: FileName) -> Bool { Self.matches(name.bytes, partials) }

  /// The extensions that the file of a partial name may get, each with its dot, or empty; none if the name is not
  /// partial.
  func endings(ofPartial name: FileName) -> [[UInt8]] {
    let bytes = name.bytes
    return partials.compactMap { template in template.part(of: bytes).map { Array(Self.ending(of: $0)) } }
  }

  /// The extensions that partial names may have for this file: its own, or none.
  func endings(ofPlaceholder name: FileName) -> Set<[UInt8]> { [[], Array(Self.ending(of: name.bytes))] }

  private static func ending(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] } ?? []
  }

  /// Whether a name marks a short-lived file.
  func isTransient(_ name: FileName) -> Bool { Self.matches(name.bytes, transients) }

  private static func matches(_ name: ArraySlice<UInt8>, _ templates: [NameTemplate]) -> Bool {
    templates.contains { $0.part(of: name) != nil }
  }

  /// Whether the closure accepts one of the names whose presence marks a file as unfinished.
  ///
  /// The closure also learns whether a finished sibling still marks it: a download's companion is removed at the end; a
  /// journal may be kept.
  func hasPendingSibling(
    of name: FileName, where accepts: (_ sibling: [UInt8], _ isAlwaysPending: Bool) -> Bool
  ) -> Bool {
    let bytes = name.bytes
    var sibling: [UInt8] = []
    sibling.reserveCapacity(bytes.count + 16)
    return pending.contains { template in
      template.writeName(for: bytes, to: &sibling)
      return accepts(sibling, template.after.first == UInt8(ascii: "."))
    }
  }

  /// Whether a name may be such a sibling's.
  func isPendingSibling(_ name: FileName) -> Bool { Self.matches(name.bytes, pending) }

  /// The file that a pending sibling blocks.
  func fileBlocked(by sibling: FileName) -> FileName? {
    let bytes = sibling.bytes
    return pending.lazy.compactMap { $0.part(of: bytes) }.first.map { FileName(bytes: $0) }
  }
}

/// Names of documents, with indexes to find those of a backup.
struct DocumentNames {
  private var byName: [ArraySlice<UInt8>: Set<Int>] = [:]
  /// Documents by name without extension.
  private var byStem: [ArraySlice<UInt8>: Set<Int>] = [:]

  init(_ documents: [(number: Int, name: FileName)]) {
    for (number, name) in documents {
      let bytes = name.bytes
      byName[bytes, default: []].insert(number)
      guard let end = bytes.lastIndex(of: UInt8(ascii: ".")), end > bytes.startIndex else { continue }
      byStem[bytes[..<end], default: []].insert(number)
    }
  }

  func named(_ name: ArraySlice<UInt8>) -> Set<Int> { byName[name] ?? [] }

  /// The documents whose name is this and an extension.
  func withStem(_ stem: ArraySlice<UInt8>) -> Set<Int> { byStem[stem] ?? [] }
}

import LinuxFileSystem

/// `FileSystemObserver.NamePatterns`, made ready for comparing.
struct NameRules: Sendable {
  private let backups: [NameTemplate]
  private let includesNumberedBackups: Bool
  private let partials: [NameTemplate]
  private let pending: [NameTemplate]
  private let transients: [NameTemplate]

  /// Patterns that are malformed are left out: whoever starts an observer has been told of them.
  init(_ patterns: FileSystemObserver.NamePatterns = FileSystemObserver.NamePatterns()) {
    backups = patterns.backups.compactMap(NameTemplate.init)
    includesNumberedBackups = patterns.includesNumberedBackups
    partials = patterns.partials.compactMap(NameTemplate.init)
    pending = patterns.pendingSiblings.compactMap(NameTemplate.init)
    transients = patterns.transients.compactMap(NameTemplate.init)
  }

  /// Whether a document of the name `original` that is renamed to `name` has been put aside rather than renamed.
  func isBackup(_ name: FileName, of original: FileName) -> Bool {
    let (name, original) = (name.bytes, original.bytes)
    return backups.contains { Self.isBackup(name, of: original, as: $0) }
      || includesNumberedBackups && isNumberedBackup(name, of: original)
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
    return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The documents whose backup a file may be, by its name: those of which `isBackup` says so.
  func documents(ofBackup name: FileName, in documents: DocumentNames) -> Set<Int> {
    let name = name.bytes
    var found: Set<Int> = []
    for template in backups {
      guard let part = template.part(of: name) else { continue }
      found.formUnion(documents.named(part))
      guard template.after.first == UInt8(ascii: ".") else { continue }
      found.formUnion(documents.withStem(part))
      if template.before.isEmpty {
        for end in part.indices.dropFirst() { found.formUnion(documents.named(part[..<end])) }
      }
    }
    if includesNumberedBackups, let end = name.lastIndex(of: UInt8(ascii: ".")), end > name.startIndex,
      isNumberedBackup(name, of: name[..<end])
    {
      found.formUnion(documents.named(name[..<end]))
    }
    return found
  }

  /// Whether a name says that the file is not finished.
  func isPartial(_ name: FileName) -> Bool { Self.matches(name, partials) }

  /// The endings that the file of a partial name may have in the end, each with its dot, or none; nothing where the
  /// name is not partial.
  func endings(ofPartial name: FileName) -> [[UInt8]] {
    let bytes = name.bytes
    return partials.compactMap { template in template.part(of: bytes).map { Array(Self.ending(of: $0)) } }
  }

  /// The endings that partial names of a file may leave it: its own, or none.
  func endings(ofPlaceholder name: FileName) -> Set<[UInt8]> { [[], Array(Self.ending(of: name.bytes))] }

  private static func ending(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] } ?? []
  }

  /// Whether a name says that the file is there for a moment only.
  func isTransient(_ name: FileName) -> Bool { Self.matches(name, transients) }

  private static func matches(_ name: FileName, _ templates: [NameTemplate]) -> Bool {
    let bytes = name.bytes
    return templates.contains { $0.part(of: bytes) != nil }
  }

  /// The names whose presence says that a file is not finished, and whether that is so when they are finished
  /// themselves.
  ///
  /// A download's companion goes when the download is complete; a journal may be kept for the next time.
  func pendingSiblings(of name: FileName) -> [(name: FileName, isAlwaysPending: Bool)] {
    let bytes = name.bytes
    return pending.map { ($0.name(for: bytes), $0.after.first == UInt8(ascii: ".")) }
  }

  /// The file whose finish such a sibling holds up.
  func fileBlocked(by sibling: FileName) -> FileName? {
    let bytes = sibling.bytes
    return pending.lazy.compactMap { $0.part(of: bytes) }.first.map { FileName(bytes: $0) }
  }
}

/// Names of documents, by which those of a backup are found.
struct DocumentNames {
  private var byName: [ArraySlice<UInt8>: Set<Int>] = [:]
  /// By the name without its extension.
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

  /// Those whose name is this and an extension.
  func withStem(_ stem: ArraySlice<UInt8>) -> Set<Int> { byStem[stem] ?? [] }
}

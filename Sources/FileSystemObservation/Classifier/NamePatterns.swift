import LinuxFileSystem

/// Which names say something about a file: that it is a backup of another, or not finished.
///
/// Names only shorten the wait or lengthen it; what a save is, is recognised by what happens.
struct NamePatterns: Sendable {
  /// What editors append to a document's name for its backup.
  var backupSuffixes = ["~", ".bak", ".backup", ".orig", ".old", ".save", ".BAK", ".sav"]
  /// What they put before and after it.
  var backupAffixes = [("#", "#"), ("~", "")]
  /// What downloads are called until they are finished.
  var partialSuffixes = [
    ".part", ".crdownload", ".partial", ".filepart", ".download", ".opdownload", ".!ut", ".aria2__temp",
  ]
  /// A file is not finished as long as a sibling has its name and one of these.
  var pendingSuffixes = [".part", ".crdownload", ".partial", ".aria2", "-journal", "-wal"]

  /// Whether a document of the name `original` that is renamed to `name` has been put aside rather than renamed.
  func isBackup(_ name: FileName, of original: FileName) -> Bool {
    let bytes = name.bytes
    for suffix in backupSuffixes where bytes.elementsEqual(concatenated([], original, suffix)) { return true }
    for (before, after) in backupAffixes where bytes.elementsEqual(concatenated(Array(before.utf8), original, after)) {
      return true
    }
    return isNumberedBackup(bytes, of: original) || isBackupWithoutExtension(bytes, of: original)
  }

  private func concatenated(_ before: [UInt8], _ name: FileName, _ after: String) -> [UInt8] {
    before + name.bytes + Array(after.utf8)
  }

  /// `report.txt.~12~`, as emacs and cp --backup=numbered have it.
  private func isNumberedBackup(_ bytes: ArraySlice<UInt8>, of original: FileName) -> Bool {
    let tilde = UInt8(ascii: "~")
    let tail = bytes.dropFirst(original.count)
    guard bytes.starts(with: original.bytes), tail.starts(with: [UInt8(ascii: "."), tilde]), tail.last == tilde
    else { return false }
    let digits = tail.dropFirst(2).dropLast()
    return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// `report.bak` for `report.txt`.
  private func isBackupWithoutExtension(_ bytes: ArraySlice<UInt8>, of original: FileName) -> Bool {
    let dot = UInt8(ascii: ".")
    guard let end = original.bytes.lastIndex(of: dot), end > original.bytes.startIndex else { return false }
    let stem = original.bytes[..<end]
    return backupSuffixes.contains { suffix in
      suffix.utf8.first == dot && bytes.elementsEqual(Array(stem) + Array(suffix.utf8))
    }
  }

  /// Whether a name says that the file is not finished.
  func isPartial(_ name: FileName) -> Bool {
    partialSuffixes.contains { Self.ends(name.bytes, with: $0) && name.count > $0.utf8.count }
  }

  /// The names whose presence says that a file is not finished.
  func pendingSiblings(of name: FileName) -> [FileName] {
    pendingSuffixes.map { FileName(bytes: Array(name.bytes) + Array($0.utf8)) }
  }

  /// The file whose finish such a sibling holds up.
  func fileHeldUp(by sibling: FileName) -> FileName? {
    for suffix in pendingSuffixes where Self.ends(sibling.bytes, with: suffix) && sibling.count > suffix.utf8.count {
      return FileName(bytes: sibling.bytes.dropLast(suffix.utf8.count))
    }
    return nil
  }

  private static func ends(_ bytes: ArraySlice<UInt8>, with suffix: String) -> Bool {
    bytes.count >= suffix.utf8.count && bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

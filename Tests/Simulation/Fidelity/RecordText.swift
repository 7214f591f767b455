import LinuxFileSystem

/// Records in words, the same for both machines: directories by the order in which they were marked, files by that of
/// their first appearance.
struct RecordText<File: Hashable> {
  private var directories: [File: Int] = [:]
  private var files: [File: Int] = [:]

  mutating func mark(_ directory: File) {
    if directories[directory] == nil { directories[directory] = directories.count }
  }

  /// - Parameters:
  ///   - places: Where it happened, where a rename came from, and where it led to.
  mutating func text(_ mask: FanotifyMask, _ places: [(directory: File, name: String)?], _ file: File?) -> String {
    let words: [(FanotifyMask, String)] = [
      (.create, "create"), (.delete, "delete"), (.rename, "rename"), (.modify, "modify"), (.attribute, "attribute"),
      (.closeWrite, "closeWrite"), (.deleteSelf, "deleteSelf"), (.moveSelf, "moveSelf"),
      (.queueOverflow, "overflow"), (.onDirectory, "directory"),
    ]
    var text = words.filter { mask.contains($0.0) }.map(\.1).joined(separator: "+")
    for (kind, place) in zip(["at", "from", "to"], places) {
      guard let place else { continue }
      // What has no name yet is told by its number.
      let name = place.name.hasPrefix("#") ? "#" : place.name
      text += " \(kind) \(name) in \(directories[place.directory].map { "\($0)" } ?? "?")"
    }
    if let file {
      let number = files[file] ?? files.count
      files[file] = number
      text += " file \(number)"
    }
    return text
  }
}

import FileIdentity
import FileSystemObservation
import LinuxFileSystem

/// One line of a flight recording: a word, and fields of the form `name=value`.
package struct RecordedLine: Sendable {
  /// The number of the record; `nil` in the head.
  package var number: Int?
  package var kind: String
  private var fields: [String: String] = [:]

  /// - Returns: `nil` for an empty line.
  init?(_ text: Substring) {
    var words = text.split(separator: " ")[...]
    number = words.first.flatMap { Int($0) }
    if number != nil { words.removeFirst() }
    guard let kind = words.popFirst() else { return nil }
    self.kind = String(kind)
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
    }
  }

  package var allFields: [String: String] { fields }

  package subscript(field: String) -> String { fields[field] ?? "" }

  func isSet(_ field: String) -> Bool { fields[field] == "yes" }

  func number<Value: FixedWidthInteger>(_ field: String) -> Value { Value(self[field]) ?? 0 }

  /// The number of a field; `nil` if that says `none`.
  func optional<Value: FixedWidthInteger>(_ field: String) -> Value? { Value(self[field]) }

  /// The bytes of the name; `nil` if there is none, or it was overwritten.
  package var name: [UInt8]? {
    guard let text = fields["name"], text != "?" else { return nil }
    return RecordedName.bytes(text.utf8)
  }

  /// The bytes of a path in the head.
  var path: [UInt8] {
    let names = Array(self["path"].utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return Array(names.map { RecordedName.bytes($0) ?? [] }.joined(separator: [UInt8(ascii: "/")]))
  }

  func uuid(_ field: String) -> UUIDBits? { UUIDBits(text: Array(self[field].utf8).span) }
}

// MARK: - What was seen

/// An entry as it was seen.
struct RecordedEntry {
  var status: FileStatus
  var tag: TagReading
  var system: UInt64
  var isRecent: Bool
  /// For an entry of a listing: it was being written, or the scan wrote its tag.
  var isBeingWritten: Bool
  var wasTagged: Bool

  /// The entry of a look or a listing; `nil` if there was none.
  init?(_ line: RecordedLine) {
    guard line["found"] == "entry" else { return nil }
    let kind: FileKind = line["kind"] == "directory" ? .directory : line["kind"] == "symlink" ? .symlink : .file
    status = FileStatus(
      device: line.number("device"), inode: line.number("inode"), born: line.number("born"), kind: kind,
      linkCount: line.number("links"), size: line.number("size"), modified: line.number("modified"),
      changed: line.number("changed"))
    switch line["tag"] {
    case "none": tag = .none
    case "garbage": tag = .garbage
    case "unreadable": tag = .unreadable
    default: tag = line.uuid("tag").map { .uuid($0) } ?? .none
    }
    system = line.number("system")
    isRecent = line.isSet("recent")
    isBeingWritten = line.isSet("written")
    wasTagged = line.isSet("tagged")
  }
}

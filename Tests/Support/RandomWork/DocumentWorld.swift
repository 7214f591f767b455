import FileSystemObservation
import FileTestSupport
import SystemPackage

/// Random operations on documents, copies and strangers, of which it is known what each file is.
package struct DocumentWorld {
  private static let names = ["letter", "note", "plan", "list"]
  private static let folders = ["a", "b", "a/c"]

  package let folder: Folder
  private var random: SplitMix64
  /// The numbers of the documents, by their paths; other files are missing here.
  package var documents: [String: Int] = [:]

  /// The paths of the documents in the beginning.
  package static let firstPaths = ["a/letter", "b/note", "a/c/plan"]

  package init(in folder: Folder, seed: UInt64) throws {
    self.folder = folder
    random = SplitMix64(seed: seed)
    for name in Self.folders { try folder.makeDirectories(name) }
    for (number, name) in Self.firstPaths.enumerated() {
      try folder.write(name)
      documents[name] = number
    }
  }

  /// Where a document is; `nil` if it was removed or overwritten.
  package func place(of document: Int) -> String? { documents.first { $0.value == document }?.key }

  /// Does something; says what.
  package mutating func act() throws -> String {
    let files = try existing()
    guard let file = files.randomElement(using: &random) else { return try create(anyPath()) }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: return try move(file, to: anyPath())
    case 2: return try save(file, keepingTag: true)
    case 3: return try save(file, keepingTag: false)
    case 4: return try copy(file, to: anyPath())
    case 5: return try saveWithBackup(file)
    case 6: return try exchange(file, files.randomElement(using: &random) ?? file)
    case 7: return try remove(file)
    default: return try create(anyPath())
    }
  }

  private func existing() throws -> [String] {
    try Self.folders.flatMap { name in
      try Directory.list(folder[name]).filter { $0.kind == .file }.map { "\(name)/\($0.name)" }
    }.sorted()
  }

  private mutating func anyPath() -> String {
    let folder = Self.folders[Int.random(in: 0..<Self.folders.count, using: &random)]
    return "\(folder)/\(Self.names[Int.random(in: 0..<Self.names.count, using: &random)])"
  }

  private mutating func move(_ old: String, to new: String) throws -> String {
    guard old != new else { return "nothing" }
    try folder.rename(old, new)
    documents[new] = documents.removeValue(forKey: old)
    return "move \(old) to \(new)"
  }

  private func save(_ file: String, keepingTag: Bool) throws -> String {
    try folder.saveByReplacement(file, keepingTag: keepingTag)
    return "save \(file), \(keepingTag ? "keeping" : "losing") the tag"
  }

  /// The inode that the document had is its backup.
  private func saveWithBackup(_ file: String) throws -> String {
    guard !file.hasSuffix("~"), !folder.exists("\(file)~") else { return "nothing" }
    try folder.rename(file, "\(file)~")
    try folder.write(file, "new")
    return "save \(file) with a backup"
  }

  private mutating func copy(_ old: String, to new: String) throws -> String {
    guard old != new, !folder.exists(new) else { return "nothing" }
    let tag = try folder.tag(old)
    try folder.write(new, "copy")
    if let tag { try folder.setTag(new, tag) }
    return "copy \(old) to \(new)"
  }

  /// To exchange a document with its backup is to save it.
  private mutating func exchange(_ one: String, _ other: String) throws -> String {
    guard one != other, "\(one)~" != other, "\(other)~" != one else { return "nothing" }
    try folder.exchange(one, other)
    (documents[one], documents[other]) = (documents[other], documents[one])
    return "exchange \(one) and \(other)"
  }

  private mutating func remove(_ file: String) throws -> String {
    try folder.unlink(file)
    documents[file] = nil
    return "remove \(file)"
  }

  private func create(_ file: String) throws -> String {
    guard !folder.exists(file) else { return "nothing" }
    try folder.write(file, "stranger")
    return "create \(file)"
  }
}

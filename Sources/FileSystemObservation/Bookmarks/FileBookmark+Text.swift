internal import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
internal import SystemPackage

// fsb1:KIND:UUID:FILE SYSTEM:INODE:BORN:HANDLE:CONTENT:TAG NAME:PATH:CHECKSUM
//
// Numbers are hexadecimal, but times and sizes decimal. What is not known is a hyphen. Names and paths are bytes, of
// which those that a shell or a line might take for something else are percent-encoded.

extension FileBookmark: LosslessStringConvertible {
  private static let form = "fsb"
  private static let version = "1"
  private static let fieldCount = 11
  /// More than any path and name take.
  private static let longestText = 32_768

  /// The bookmark as text: one line of printable ASCII characters without spaces, to be stored.
  public var description: String {
    let text = Self.join(fields)
    return "\(text):\(Self.checksum(of: text))"
  }

  private static func join(_ fields: [String]) -> String { fields.joined(separator: ":") }

  private var fields: [String] {
    let handle = traits.handle.map { "\(UInt32(bitPattern: $0.type).hexadecimal)-\($0.bytes.hexadecimal)" }
    let content = traits.content.map { "\($0.size),\($0.modified)" }
    return [
      Self.form + Self.version, "\(kind.letter)\(identity.letter)", UUIDBits(uuid).description,
      traits.fileSystem.hexadecimal, traits.inode.hexadecimal, "\(traits.born)", handle ?? "-", content ?? "-",
      tagName == Self.usualTagName ? "-" : tagName.utf8.percentEncoded, lastKnownPath.bytes.percentEncoded,
    ]
  }

  private static func checksum(of text: String) -> String {
    var checksum = StoredChecksum(seed: 1)
    unsafe checksum.append(Array(text.utf8).span.bytes)
    let digits = checksum.value.hexadecimal
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Makes a bookmark from its text; `nil` if the text is not one.
  ///
  /// ``init(parsing:)`` says why.
  public init?(_ description: String) {
    try? self.init(parsing: description)
  }

  /// Makes a bookmark from its text.
  ///
  /// - Throws: `malformed` if the text is not exactly that of a bookmark; `newerVersion` if a newer version of this
  ///   library has made it.
  public init(parsing text: String) throws(FileBookmarkError) {
    let fields = text.utf8.count > Self.longestText ? [] : text.split(separator: ":", omittingEmptySubsequences: false)
    guard let first = fields.first, first.hasPrefix(Self.form), fields.count > 1 else { throw .noBookmark(text) }
    guard first == Self.form + Self.version else {
      let isNewer = Int(first.dropFirst(Self.form.count)).map { $0 > 1 } ?? false
      throw isNewer ? .newerVersion : .noBookmark(text)
    }
    let known = fields.dropLast().map(String.init)
    guard let last = fields.last, last == Self.checksum(of: Self.join(known)) else { throw .damaged }
    guard fields.count == Self.fieldCount, let bookmark = Self(fields: known), bookmark.description == text else {
      throw .damaged
    }
    self = bookmark
  }

  private init?(fields: [String]) {
    guard let kind = fields[1].first.flatMap(FileSystemItem.Kind.init(letter:)),
      let identity = fields[1].last.flatMap(FileSystemItem.IdentityKind.init(letter:)),
      let uuid = UUIDBits(text: Array(fields[2].utf8).span), let traits = FileTraits(fields: fields[3...7]),
      let tag = fields[8] == "-" ? Self.usualTagName : fields[8].percentDecoded.flatMap(String.init(utf8:)),
      let path = fields[9].percentDecoded.map(FilePath.init(bytes:)), path.isAbsolute,
      tag == Self.usualTagName || (try? FileSystemIdentity(tagName: tag)) != nil
    else { return nil }
    self.init(uuid: UUID(uuid), path: path, kind: kind, identity: identity, tagName: tag, traits: traits)
  }
}

extension FileTraits {
  fileprivate init?(fields: ArraySlice<String>) {
    let fields = Array(fields)
    guard let fileSystem = UInt64(fields[0], radix: 16), let inode = UInt64(fields[1], radix: 16),
      let born = Int64(fields[2])
    else { return nil }
    self.init(inode: inode, born: born, fileSystem: fileSystem)
    if fields[3] != "-" {
      guard let handle = LastingHandle(field: fields[3]) else { return nil }
      self.handle = handle
    }
    if fields[4] != "-" {
      guard let content = Content(field: fields[4]) else { return nil }
      self.content = content
    }
  }
}

extension LastingHandle {
  fileprivate init?(field: String) {
    let parts = field.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let type = UInt32(parts[0], radix: 16), let bytes = [UInt8](hexadecimal: parts[1]) else {
      return nil
    }
    self.init(type: Int32(bitPattern: type), bytes: bytes)
  }
}

extension FileTraits.Content {
  fileprivate init?(field: String) {
    let numbers = field.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 2, let size = numbers[0], let modified = numbers[1] else { return nil }
    self.init(size: size, modified: modified)
  }
}

// MARK: - Letters

extension FileSystemItem.Kind {
  fileprivate var letter: Character {
    switch self {
    case .file: "f"
    case .directory: "d"
    case .symlink: "l"
    }
  }

  fileprivate init?(letter: Character) {
    guard let kind = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
    self = kind
  }
}

extension FileSystemItem.IdentityKind {
  fileprivate var letter: Character {
    switch self {
    case .tag: "t"
    case .inode: "i"
    }
  }

  fileprivate init?(letter: Character) {
    guard let kind = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
    self = kind
  }
}

extension String {
  fileprivate init?(utf8 bytes: [UInt8]) { self.init(validating: bytes, as: UTF8.self) }
}

import FileIdentity

/// What a stored set of changes says.
package enum StoredChanges: Sendable {
  case changes(ChangeLog)
  /// The whole tree was found anew: the set does not follow from the one before.
  case wholeTree
  /// Sets up to this one were not stored.
  case gap

  private enum Form: UInt8 {
    case changes, wholeTree, gap
    /// Changes, and items that go on in copies.
    case continuations
  }

  /// The bytes to store, with a checksum first.
  package var bytes: [UInt8] {
    var writer = StoredBytesWriter()
    switch self {
    case .changes(let log):
      let form = log.continuations.isEmpty ? Form.changes : .continuations
      writer.append(form.rawValue)
      writer.append(log.records, log)
      if form == .continuations { writer.append(log.continuations, log) }
    case .wholeTree: writer.append(Form.wholeTree.rawValue)
    case .gap: writer.append(Form.gap.rawValue)
    }
    return Self.checksum(of: writer.bytes[...]) + writer.bytes
  }

  package init(bytes: [UInt8]) throws(StoredDataError) {
    guard bytes.count > 8, bytes.starts(with: Self.checksum(of: bytes[8...])) else {
      throw StoredDataError("the checksum of a set of changes does not match")
    }
    var reader = StoredBytesReader(bytes[8...])
    switch Form(rawValue: try reader.take()) {
    case .changes: self = .changes(try reader.takeLog())
    case .continuations: self = .changes(try reader.takeLog(withContinuations: true))
    case .wholeTree: self = .wholeTree
    case .gap: self = .gap
    case nil: throw StoredDataError("a set of changes has an unknown form")
    }
    guard reader.isAtEnd else { throw StoredDataError("a set of changes is too long") }
  }

  private static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var checksum = StoredChecksum(seed: 0)
    unsafe checksum.append(bytes.span.bytes)
    var writer = StoredBytesWriter()
    writer.append(checksum.value)
    return writer.bytes
  }
}

// MARK: - Codes

/// The numbers of values in files; a number never gets another meaning.
private enum StoredCode {
  static let kinds: [FileSystemChange.Kind] = [
    .discovered, .copyFinished, .modified, .renamed, .moved, .duplicated, .linked, .unlinked, .deleted,
    .propertiesChanged,
  ]
  static let itemKinds: [FileSystemItem.Kind] = [.file, .directory, .symlink]
  static let origins: [FileSystemChange.Origin] = [.thisProcess, .other, .unknown]
  /// The first stands for none.
  static let reasons: [DeletionReason?] = [nil, .removed, .trashed, .movedOut, .replaced, .unmounted]
  static let effects: [ChangeRecord.Effect] = [.none, .comesOrGoes, .moves, .changesIdentity]
}

/// Which values of a record are there.
private struct StoredParts: OptionSet {
  var rawValue: UInt16
  static let returned = StoredParts(rawValue: 1 << 0)
  static let copying = StoredParts(rawValue: 1 << 1)
  static let tagged = StoredParts(rawValue: 1 << 2)
  static let furtherName = StoredParts(rawValue: 1 << 3)
  static let previousPath = StoredParts(rawValue: 1 << 4)
  static let original = StoredParts(rawValue: 1 << 5)
  static let originalPath = StoredParts(rawValue: 1 << 6)
  static let parent = StoredParts(rawValue: 1 << 7)
  static let childCount = StoredParts(rawValue: 1 << 8)
  static let key = StoredParts(rawValue: 1 << 9)
  static let digest = StoredParts(rawValue: 1 << 10)

  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  init(_ record: ChangeRecord, _ digest: ContentDigest?) {
    self = []
    if record.isReturned { insert(.returned) }
    if record.isCopying { insert(.copying) }
    if record.isTagged { insert(.tagged) }
    if record.facts.isFurtherName { insert(.furtherName) }
    if record.previousPath != nil { insert(.previousPath) }
    if record.original != nil { insert(.original) }
    if record.originalPath != nil { insert(.originalPath) }
    if record.facts.parent != nil { insert(.parent) }
    if record.facts.childCount != nil { insert(.childCount) }
    if record.key != nil { insert(.key) }
    if digest != nil { insert(.digest) }
  }
}

// MARK: - Records

extension StoredBytesWriter {
  fileprivate mutating func append(_ records: [ChangeRecord], _ log: ChangeLog) {
    append(short: records.count)
    for record in records {
      append(record, log.paths, record.kind == .deleted ? log.removedContents[record.uuid] : nil)
    }
  }

  private mutating func append(_ record: ChangeRecord, _ paths: [UInt8], _ digest: ContentDigest?) {
    append(code: record.kind, in: StoredCode.kinds)
    append(code: record.itemKind, in: StoredCode.itemKinds)
    append(code: record.origin, in: StoredCode.origins)
    append(code: record.reason, in: StoredCode.reasons)
    append(code: record.effect, in: StoredCode.effects)
    append(StoredParts(record, digest).rawValue)
    append(record.uuid)
    append(record.node.rawValue)
    append(counted: paths[record.path])
    if let path = record.previousPath { append(counted: paths[path]) }
    if let original = record.original { append(original) }
    if let path = record.originalPath { append(counted: paths[path]) }
    append(record.facts)
    if let key = record.key { append(key) }
    if let digest { append(counted: digest.bytes) }
    append(short: record.names.count)
    for name in record.names { append(counted: paths[name]) }
  }

  /// Without the device, whose number need not last.
  private mutating func append(_ key: FileKey) {
    append(key.inode)
    append(key.born)
  }

  private mutating func append(_ facts: ItemFacts) {
    if let parent = facts.parent { append(parent) }
    append(short: Int(facts.size))
    append(facts.modified)
    append(facts.created)
    if let count = facts.childCount { append(short: count) }
    append(short: facts.nameCount)
  }

  private mutating func append<Value: Equatable>(code value: Value, in values: [Value]) {
    append(UInt8(truncatingIfNeeded: values.firstIndex(of: value) ?? 0))
  }
}

extension StoredBytesReader {
  fileprivate mutating func takeLog(withContinuations: Bool = false) throws(StoredDataError) -> ChangeLog {
    var log = ChangeLog()
    log.records = try takeRecords(&log)
    if withContinuations { log.continuations = try takeRecords(&log) }
    return log
  }

  private mutating func takeRecords(_ log: inout ChangeLog) throws(StoredDataError) -> [ChangeRecord] {
    var records: [ChangeRecord] = []
    for _ in 0..<(try takeCount()) {
      let (record, digest) = try takeRecord(&log.paths)
      records.append(record)
      if let digest { log.removedContents[record.uuid] = digest }
    }
    return records
  }

  private mutating func takeRecord(
    _ paths: inout [UInt8]
  ) throws(StoredDataError) -> (ChangeRecord, ContentDigest?) {
    let (kind, itemKind) = (try takeCode(in: StoredCode.kinds), try takeCode(in: StoredCode.itemKinds))
    let (origin, reason) = (try takeCode(in: StoredCode.origins), try takeCode(in: StoredCode.reasons))
    let effect = try takeCode(in: StoredCode.effects)
    let parts = StoredParts(rawValue: try take())
    let uuid = try takeUUID()
    let node = NodeID(rawValue: try take())
    let path = try takePath(&paths)
    let previousPath = parts.contains(.previousPath) ? try takePath(&paths) : nil
    let original = parts.contains(.original) ? try takeUUID() : nil
    let originalPath = parts.contains(.originalPath) ? try takePath(&paths) : nil
    let facts = try takeFacts(parts)
    let key = parts.contains(.key) ? FileKey(device: 0, inode: try take(), born: try take()) : nil
    let digest = parts.contains(.digest) ? ContentDigest(bytes: try takeCounted()) : nil
    var names: [Range<Int>] = []
    for _ in 0..<(try takeCount()) { names.append(try takePath(&paths)) }
    let record = ChangeRecord(
      kind: kind, itemKind: itemKind, uuid: uuid, path: path, previousPath: previousPath, original: original,
      originalPath: originalPath, reason: reason, isReturned: parts.contains(.returned),
      isCopying: parts.contains(.copying), isTagged: parts.contains(.tagged), facts: facts, key: key, names: names,
      node: node,
      effect: effect, origin: origin)
    return (record, digest)
  }

  private mutating func takeFacts(_ parts: StoredParts) throws(StoredDataError) -> ItemFacts {
    ItemFacts(
      parent: parts.contains(.parent) ? try takeUUID() : nil, size: Int64(try takeShort()), modified: try take(),
      created: try take(), childCount: parts.contains(.childCount) ? try takeCount() : nil,
      isFurtherName: parts.contains(.furtherName), nameCount: try takeCount())
  }

  private mutating func takePath(_ paths: inout [UInt8]) throws(StoredDataError) -> Range<Int> {
    let start = paths.count
    paths += try takeCounted()
    return start..<paths.count
  }

  private mutating func takeCode<Value>(in values: [Value]) throws(StoredDataError) -> Value {
    let code = Int(try take(UInt8.self))
    guard code < values.count else { throw StoredDataError("a change has an unknown code") }
    return values[code]
  }
}

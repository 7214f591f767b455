/// What a store has of a graph: enough to write only what has changed.
///
/// The entries are in pages, and a patch with each transaction has those that have changed. When the patches have grown
/// to a part of the whole, the pages that they concern are written anew: 10,000 files that change all over a million
/// dirty nearly every page, of 80 MB together, while their patch has 1 MB.
struct StoredLayout: Sendable {
  /// Whether anything is stored.
  private(set) var isEmpty = true
  private var checksums: [StoredChunk.Kind: [UInt64]] = [:]
  private var patchBytes = 0
  /// The pages that patches have changed.
  private var patchedNodes = ChangeMarks()
  private var firstPatchedNames: Int?
  private var nameGeneration = 0
  private var nameSizes: [Int] = []
  private let smallPatches: Int

  init(smallPatches: Int = StoredLayout.smallPatches) {
    self.smallPatches = smallPatches
  }

  /// The sum of the checksums of all chunks: a file with chunks of different transactions has another.
  var digest: UInt64 { checksums.values.joined().reduce(0, &+) }

  func count(_ kind: StoredChunk.Kind) -> Int { checksums[kind]?.count ?? 0 }
}

// MARK: - Writing

extension StoredLayout {
  /// The size up to which patches are not merged into the pages.
  static let smallPatches = 1 << 20

  /// Writes a picture, and notes it.
  mutating func write(_ picture: GraphPicture, to transaction: some StoreTransaction) throws {
    guard let changed = picture.changed, !isEmpty, picture.storage.names.generation == nameGeneration else {
      return try writeAll(picture.storage, to: transaction)
    }
    let added = changed.count * (4 + StoredNode.size)
    let limit = max(smallPatches, picture.storage.nodes.count * StoredNode.size / 8)
    if patchBytes + added > limit {
      try merge(picture.storage, changed, to: transaction)
    } else {
      try writePatch(picture.storage, changed, to: transaction)
    }
  }

  private mutating func writeAll(_ storage: GraphStorage, to transaction: some StoreTransaction) throws {
    for kind in StoredChunk.Kind.ofTree { try transaction.removeChunks(kind, from: 0) }
    self = StoredLayout(smallPatches: smallPatches)
    for page in 0..<storage.nodePageCount { try put(storage.nodeChunk(page), to: transaction) }
    for page in 0..<storage.namePageCount { try put(storage.nameChunk(page), to: transaction) }
    note(storage)
  }

  private mutating func writePatch(
    _ storage: GraphStorage, _ changed: ChangeMarks, to transaction: some StoreTransaction
  ) throws {
    let sizes = storage.names.pageSizes
    if changed.isEmpty, sizes == nameSizes { return }
    try put(storage.patchChunk(count(.patch), of: changed, namesAfter: nameSizes), to: transaction)
    notePatch(changed, below: storage.nodes.count, namesFrom: max(0, nameSizes.count - 1))
    note(storage)
  }

  /// Writes all pages that have changed since they were written, instead of patches.
  private mutating func merge(
    _ storage: GraphStorage, _ changed: ChangeMarks, to transaction: some StoreTransaction
  ) throws {
    notePatch(changed, below: storage.nodes.count, namesFrom: max(0, nameSizes.count - 1))
    try transaction.removeChunks(.patch, from: 0)
    checksums[.patch] = nil
    var pages: [Int] = []
    patchedNodes.forEach(below: storage.nodePageCount) { pages.append($0) }
    for page in pages { try put(storage.nodeChunk(page), to: transaction) }
    for page in (firstPatchedNames ?? 0)..<storage.namePageCount { try put(storage.nameChunk(page), to: transaction) }
    patchBytes = 0
    patchedNodes = ChangeMarks()
    firstPatchedNames = nil
    note(storage)
  }

  private mutating func put(_ chunk: StoredChunk, to transaction: some StoreTransaction) throws {
    try transaction.put(chunk)
    note(chunk, checksum: chunk.statedChecksum)
  }
}

// MARK: - Noting

extension StoredLayout {
  /// Notes a chunk of the file; chunks of a kind must come in order.
  mutating func note(_ chunk: StoredChunk, checksum: UInt64) {
    isEmpty = false
    if chunk.number < count(chunk.kind) {
      checksums[chunk.kind]?[chunk.number] = checksum
    } else {
      checksums[chunk.kind, default: []].append(checksum)
    }
    if chunk.kind == .patch { patchBytes += chunk.bytes.count }
  }

  /// Notes which pages a patch concerns.
  mutating func notePatch(_ changed: ChangeMarks, below limit: Int, namesFrom page: Int) {
    changed.forEach(below: limit) { patchedNodes.insert($0 / GraphStorage.nodesInPage) }
    firstPatchedNames = min(firstPatchedNames ?? page, page)
  }

  /// Notes the state that the file has now.
  mutating func note(_ storage: GraphStorage) {
    isEmpty = false
    nameGeneration = storage.names.generation
    nameSizes = storage.names.pageSizes
  }
}

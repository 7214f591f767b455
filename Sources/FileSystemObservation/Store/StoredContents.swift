/// The form of digests in a store: pages of the entries with one part of the numbers, 41 bytes each.
///
/// A digest says of which entry and of which content it is. So pages need not be of the same moment as the tree; what
/// belongs to another content, or is damaged, is left out, and made anew.
enum StoredContents {
  static func chunk(_ page: Int, of contents: ContentPicture) -> StoredChunk {
    var writer = StoredBytesWriter()
    writer.append(UInt64(0))
    let slots = page < contents.pages.count ? contents.pages[page] : []
    for (index, slot) in slots.enumerated() {
      guard let digest = slot.digest else { continue }
      writer.append(UInt8(index))
      writer.append(slot.stamp)
      for byte in digest.bytes { writer.append(byte) }
    }
    return StoredChunk(.contents, page, completing: writer.bytes)
  }

  /// Takes the digests of a page that are of the contents of a stored tree, from which a graph was made.
  static func load(
    _ chunk: StoredChunk, into contents: inout KnownContents, of graph: FileGraph, stored: GraphStorage
  ) {
    guard chunk.number >= 0, chunk.number <= NodeID.slotLimit / KnownContents.slotsInPage,
      let bytes = try? chunk.contents().bytes
    else { return }
    var reader = StoredBytesReader(bytes)
    do throws(StoredDataError) {
      while !reader.isAtEnd {
        let index = Int(try reader.take(UInt8.self))
        let stamp = try reader.take(UInt64.self)
        let digest = ContentDigest(bytes: try reader.take(count: ContentDigest.size))
        guard let digest, index < KnownContents.slotsInPage else { return }
        contents.take(
          digest, stamp: stamp, ofEntryAt: chunk.number * KnownContents.slotsInPage + index, in: graph, stored: stored)
      }
    } catch {
      // The rest of the page is made anew.
    }
  }

  /// Writes the pages that have changed; without digests, removes all.
  static func write(
    _ contents: ContentPicture?, _ changed: ChangeMarks, to transaction: some StoreTransaction
  ) throws {
    guard let contents else { return try transaction.removeChunks(.contents, from: 0) }
    var pages: [Int] = []
    changed.forEach(below: contents.pages.count) { pages.append($0) }
    for page in pages { try transaction.put(chunk(page, of: contents)) }
  }
}

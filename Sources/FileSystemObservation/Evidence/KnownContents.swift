import FileIdentity
import LinuxFileSystem

/// The digests of the contents of announced files.
///
/// A digest counts for as long as its file has the inode, size and time that it had when it was read: an older content
/// is never taken for the present one, and what has happened to an entry need not be told here. So a digest of an entry
/// that has changed, or is gone, stays until another takes its slot.
///
/// Each digest takes 56 bytes, and about a hundred in tables.
package struct KnownContents: Sendable {
  /// The digest of an entry, and what it was made of.
  struct Slot: Sendable {
    /// Stands for the entry, its inode and its content; 0 in a free slot.
    var stamp: UInt64 = 0
    var size: Int64 = 0
    /// `nil` of a content that cannot be read.
    var digest: ContentDigest?
  }

  /// Slots in pages, those of neighbouring entries in one; a page without digests has no slots.
  static let slotsInPage = 128

  /// The sizes of files that are read.
  let sizes: ClosedRange<Int64>
  private(set) var pages: [ContiguousArray<Slot>] = []
  /// The pages that have changed since they were last taken.
  private var changed = ChangeMarks()
  /// The entries by the first word of their digests.
  private var holders = Multimap<UInt64, NodeID>()
  private var sizeCounts: [Int64: Int] = [:]
  /// The number of digests, those of files that have changed or are gone included.
  private(set) var count = 0

  init(sizes: ClosedRange<Int64>) {
    self.sizes = sizes
  }

  /// Whether any file of this size has a digest.
  func hasFile(ofSize size: Int64) -> Bool { sizeCounts[size] != nil }

  /// The digest of a file's announced content; `nil` if there is none.
  func digest(of id: NodeID, in graph: FileGraph) -> ContentDigest? { slot(of: id, in: graph)?.digest }

  /// Whether a file's announced content was read, or cannot be read.
  func isExamined(_ id: NodeID, in graph: FileGraph) -> Bool { slot(of: id, in: graph) != nil }

  /// The files that have a content, by their oldest names, in no order.
  func files(with digest: ContentDigest, in graph: FileGraph) -> [NodeID] {
    holders.members(of: digest.words.0).filter { self.digest(of: $0, in: graph) == digest }
  }

  private func slot(of id: NodeID, in graph: FileGraph) -> Slot? {
    let (page, index) = id.index.quotientAndRemainder(dividingBy: Self.slotsInPage)
    guard page < pages.count, !pages[page].isEmpty, graph.isLive(id) else { return nil }
    let slot = pages[page][index]
    return slot.stamp == Self.stamp(id, graph[id]) ? slot : nil
  }

  /// Stands for an entry and its content; never 0.
  static func stamp(_ id: NodeID, _ node: Node) -> UInt64 {
    var stamp = KeyedHash.mixed(UInt64(id.rawValue))
    for word in [node.inode, UInt64(bitPattern: node.born), UInt64(bitPattern: node.modified)] {
      stamp = KeyedHash.mixed(stamp ^ word)
    }
    return max(1, KeyedHash.mixed(stamp ^ UInt64(bitPattern: node.size)))
  }
}

// MARK: - Changing

extension KnownContents {
  /// Sets the digest of a file's announced content.
  ///
  /// - Parameter digest: `nil` if the content cannot be read.
  mutating func set(_ digest: ContentDigest?, of id: NodeID, in graph: FileGraph) {
    guard graph.isLive(id), graph[id].kind == .file else { return }
    let node = graph[id]
    put(Slot(stamp: Self.stamp(id, node), size: node.size, digest: digest), for: id)
    changed.insert(id.index / Self.slotsInPage)
  }

  /// Takes a digest from a store, unless the file has changed since.
  ///
  /// - Parameters:
  ///   - stored: The tree as it was stored: in the graph, files may have other inode numbers by now.
  mutating func take(
    _ digest: ContentDigest, stamp: UInt64, ofEntryAt index: Int, in graph: FileGraph, stored: GraphStorage
  ) {
    guard index > 0, index < graph.storage.nodes.count, index < stored.nodes.count else { return }
    let id = graph.storage.id(at: index)
    guard graph.isLive(id), graph[id].kind == .file, sizes.contains(graph[id].size),
      Self.stamp(id, stored.nodes[index]) == stamp
    else { return }
    put(Slot(stamp: Self.stamp(id, graph[id]), size: graph[id].size, digest: digest), for: id)
  }

  private mutating func put(_ slot: Slot, for id: NodeID) {
    let (page, index) = id.index.quotientAndRemainder(dividingBy: Self.slotsInPage)
    while pages.count <= page { pages.append([]) }
    if pages[page].isEmpty { pages[page] = ContiguousArray(repeating: Slot(), count: Self.slotsInPage) }
    forget(pages[page][index], atIndex: id.index)
    pages[page][index] = slot
    guard let digest = slot.digest else { return }
    holders.insert(id, for: digest.words.0)
    sizeCounts[slot.size, default: 0] += 1
    count += 1
  }

  /// Removes what the tables have of an older slot, whose entry may have been another with this index.
  private mutating func forget(_ slot: Slot, atIndex index: Int) {
    guard let digest = slot.digest else { return }
    for generation in UInt8(0)..<16 {
      holders.remove(NodeID(index: index, generation: generation), for: digest.words.0)
    }
    sizeCounts.countDown(slot.size)
    count -= 1
  }
}

// MARK: - For a store

extension KnownContents {
  /// The digests, for writing those to a store that have changed since the last call.
  mutating func takePicture() -> ContentPicture {
    defer { changed = ChangeMarks() }
    return ContentPicture(pages: pages, changed: changed)
  }

  func checkInvariants(_ report: inout InvariantReport) {
    let digests = pages.joined().count { $0.digest != nil }
    report.expect(digests == count, "there are \(digests) digests, counted \(count)")
    report.expect(sizeCounts.values.reduce(0, +) == count, "the sizes of digests are counted otherwise")
  }
}

/// The digests as of a moment.
struct ContentPicture: Sendable {
  var pages: [ContiguousArray<KnownContents.Slot>]
  /// The pages to write.
  var changed: ChangeMarks
}

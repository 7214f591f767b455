import FileEvents
import FileIdentity
import FileTestSupport
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileSystemObservation

/// The scan of a tree: which directories are listed, in which order, and as what.
struct TreeScanTests {
  /// A source that does something whenever a directory is marked.
  private final class HookedSource: EventSource {
    private let source: InotifySource
    private let hook: @Sendable (DirectoryHandle) -> Void

    init(_ hook: @escaping @Sendable (DirectoryHandle) -> Void = { _ in }) throws {
      source = try InotifySource()
      self.hook = hook
    }

    func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) {}

    func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
      hook(directory)
      return try source.mark(directory, for: scope)
    }

    func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {}
    func deliverPending() {}
    var delivered: UInt64 { 0 }
    func stop() {}
  }

  private let folder: ScratchFolder
  private let files = HostFileSystem(tag: FileTag())

  init() throws {
    folder = try ScratchFolder()
  }

  private func make(_ folders: [String], files: [String] = []) throws {
    for name in folders { try PlainFiles.makeFolder(at: folder.path(name)) }
    for name in files { try PlainFiles.write([], to: folder.path(name)) }
  }

  /// The listings in the order in which they came.
  private func listings(
    _ filter: ItemFilter = ItemFilter(), threads: Int = 1, below name: String? = nil, level: Int = -1,
    path: [UInt8] = [], _ source: HookedSource? = nil
  ) throws -> [DirectoryListing] {
    let source = try source ?? HookedSource()
    let scanner = DirectoryScanner(files: files, source: source, filter: filter, writesTags: false)
    let root = try files.openRoot(at: name.map { folder.path($0) } ?? folder.path)
    var listings: [DirectoryListing] = []
    try TreeScan(scanner, root: root, level: level, path: path).run(threads: threads) { listing in
      listings.append(listing)
      return true
    }
    return listings
  }

  /// The paths of what was found; a directory ends with a slash if it was listed.
  private func paths(_ listings: [DirectoryListing]) throws -> [String] {
    var (prefixes, paths): ([UInt32: String], [String]) = ([0: ""], [])
    for listing in listings {
      let prefix = try #require(prefixes[listing.number], "a directory came before the one it is in")
      for entry in listing.entries {
        let name = "\(prefix)\(FileName(bytes: listing.nameBytes(of: entry)))"
        if entry.listing != 0 { #expect(prefixes.updateValue("\(name)/", forKey: entry.listing) == nil) }
        paths.append(entry.listing == 0 ? name : "\(name)/")
      }
    }
    #expect(prefixes.count == listings.count && Set(listings.map(\.number)).count == listings.count)
    return paths.sorted()
  }

  @Test(arguments: [0, 1, 2, 7])
  func eachDirectoryIsListedOnceAndAfterTheOneItIsIn(_ threads: Int) throws {
    let folders = (0..<12).map { "d\($0)" }
    let inner = folders.flatMap { folder in (0..<4).map { "\(folder)/e\($0)" } }
    let names = inner.map { "\($0)/file" } + ["top"]
    try make(folders + inner, files: names)
    let listings = try listings(threads: threads)
    #expect(try paths(listings) == ((folders + inner).map { "\($0)/" } + names).sorted())
    #expect(listings.allSatisfy { $0.failure == nil && $0.mark != nil })
    #expect(Set(listings.compactMap(\.mark)).count == listings.count)
  }

  /// What comes after the mark is told by it, and what comes before is listed: nothing is missed.
  @Test func aDirectoryIsMarkedBeforeItIsListed() throws {
    try make(["d", "d/e"])
    let source = try HookedSource { directory in
      guard let path = FilePath.ofOpen(directory.descriptor) else { return }
      try? PlainFiles.write([], to: path.appending("late"))
    }
    #expect(try paths(listings(source)) == ["d/", "d/e/", "d/e/late", "d/late", "late"])
  }

  @Test func whatTheFilterLeavesOutIsNotListed() throws {
    try make([".hidden", "a", "a/x", "b", "b/x"], files: [".hidden/f", "a/x/f", "b/x/f"])
    let filter = ItemFilter(excluded: try PathPatternList(["a/x"]))
    let listings = try listings(filter)
    #expect(try paths(listings) == ["a/", "b/", "b/x/", "b/x/f"])
    #expect(listings.first?.skipped == [.hidden: 1])
  }

  @Test func levelsCountFromTheObservedFolder() throws {
    try make(["a", "a/b", "a/b/c"])
    #expect(try paths(listings(ItemFilter(levels: 1))) == ["a/", "a/b"])
    #expect(try paths(listings(ItemFilter(levels: 2), below: "a", level: 0)) == ["b/", "b/c"])
  }

  @Test func patternsCountFromTheObservedFolder() throws {
    try make(["a", "a/b", "a/b/c"])
    let filter = ItemFilter(excluded: try PathPatternList(["a/b/c"]))
    #expect(try paths(listings(filter, below: "a", level: 0, path: Array("a".utf8))) == ["b/"])
    #expect(try paths(listings(filter, below: "a", level: 0)) == ["b/", "b/c/"])
  }

  /// Both are found; before the second is opened, its name belongs to another directory.
  @Test func whatHasItsNameByNowIsNotListedInstead() throws {
    try make(["a", "b"], files: ["a/file", "b/file"])
    let top = folder.path
    let source = try HookedSource { directory in
      guard let path = FilePath.ofOpen(directory.descriptor), path != top else { return }
      let other = top.appending(path.lastComponent == "a" ? "b" : "a")
      try? PlainFiles.rename(other, to: top.appending("away"))
      try? PlainFiles.makeFolder(at: other)
    }
    let listings = try listings(source)
    #expect(listings.map(\.failure) == [nil, nil, .noSuchFileOrDirectory])
    #expect(listings.last?.entries.isEmpty == true && listings.last?.mark == nil)
  }

  @Test func aDirectoryThatCannotBeMarkedIsListedAllTheSame() throws {
    final class FullSource: EventSource {
      func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) {}
      func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID { throw .noSpace }
      func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {}
      func deliverPending() {}
      var delivered: UInt64 { 0 }
      func stop() {}
    }
    try make(["a"], files: ["a/file"])
    let scanner = DirectoryScanner(files: files, source: FullSource(), filter: ItemFilter(), writesTags: false)
    var listings: [DirectoryListing] = []
    try TreeScan(scanner, root: files.openRoot(at: folder.path)).run(threads: 2) { listing in
      listings.append(listing)
      return true
    }
    #expect(try paths(listings) == ["a/", "a/file"])
    #expect(listings.allSatisfy { $0.markFailure == .noSpace && $0.mark == nil })
  }
}

extension TreeScanTests {
  private func listings(_ source: HookedSource) throws -> [DirectoryListing] {
    try listings(ItemFilter(), source)
  }
}

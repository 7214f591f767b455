import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Scans a tree with one thread a core, and passes on the listing of each directory.
///
/// The threads share one stack, last in first out. Depth first keeps few directories open: each stays open until its
/// children are. A directory's listing always comes before those of its children.
final class TreeScan<Files: FileSystem, Source: EventSource>: Sendable where Source.Directory == Files.Directory {
  private struct Work: Sendable {
    var parent: Files.Directory
    /// `nil` for the root of the scan, which is `parent` itself.
    var entry: (name: FileName, key: FileKey)?
    var number: UInt32
    var level: Int
    var path: [UInt8]
    /// The directory in the tree of an earlier run.
    var known: NodeID?
  }

  private struct State: Sendable {
    var stack: [Work] = []
    var active = 0
    var nextNumber: UInt32 = 1
    var listings: [DirectoryListing] = []
    var isCancelled = false
    /// The number of threads that wait for work.
    var idle = 0
    /// Whether the consumer waits for listings.
    var areListingsAwaited = false

    var isDone: Bool { active == 0 && stack.isEmpty }
  }

  /// The number of listings to collect before waking the consumer: on few cores, each wake costs a scanning thread its
  /// turn.
  private static var listingsAtATime: Int { 64 }

  private let scanner: DirectoryScanner<Files, Source>
  private let state: Mutex<State>
  private let workSignal: WakeSignal
  private let resultSignal: WakeSignal

  /// - Parameters:
  ///   - level: The level of the directory itself; -1 for the observed one.
  ///   - path: The path of the directory below the observed one.
  ///   - known: The directory in the tree of an earlier run.
  init(
    _ scanner: DirectoryScanner<Files, Source>, root: Files.Directory, level: Int = -1, path: [UInt8] = [],
    known: NodeID? = nil
  ) throws(Errno) {
    self.scanner = scanner
    workSignal = try WakeSignal()
    resultSignal = try WakeSignal()
    let work = Work(parent: root, entry: nil, number: 0, level: level, path: path, known: known)
    state = Mutex(State(stack: [work]))
  }

  /// Scans, and calls `consume` on the caller's thread with each listing; `false` ends the scan early.
  func run(threads count: Int, consuming consume: (DirectoryListing) -> Bool) throws(Errno) {
    var threads: [NativeThread] = []
    for index in 0..<count {
      // With fewer threads, the scan is only slower.
      guard let thread = try? NativeThread(name: "fso-scan-\(index)", { self.work() }) else { break }
      threads.append(thread)
    }
    if threads.isEmpty { work() }
    while let listings = nextListings() {
      if !listings.allSatisfy(consume) { cancel() }
    }
    for thread in threads { thread.join() }
  }

  private func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.stack = []
    }
    workSignal.send()
  }

  /// Waits for listings; `nil` when the scan is done.
  private func nextListings() -> [DirectoryListing]? {
    while true {
      let (listings, isDone) = state.withLock { state in
        let listings = state.listings
        state.listings = []
        state.areListingsAwaited = listings.isEmpty
        return (listings, state.isDone)
      }
      if !listings.isEmpty { return listings }
      if isDone { return nil }
      resultSignal.wait(nanoseconds: nil)
    }
  }

  private func work() {
    while let work = nextWork() {
      let (listing, handle) = scan(work)
      finish(work, listing, handle)
    }
    // Each thread that finds the scan done wakes the next.
    workSignal.send()
    resultSignal.send()
  }

  private func nextWork() -> Work? {
    while true {
      let (work, isDone, isMoreForOthers) = state.withLock { state -> (Work?, Bool, Bool) in
        guard let work = state.stack.popLast() else {
          state.idle += 1
          return (nil, state.isDone, false)
        }
        state.active += 1
        return (work, false, state.idle > 0 && !state.stack.isEmpty)
      }
      if isMoreForOthers { workSignal.send() }
      if let work { return work }
      if isDone { return nil }
      workSignal.wait(nanoseconds: nil)
      state.withLock { $0.idle -= 1 }
    }
  }

  private func scan(_ work: Work) -> (DirectoryListing, Files.Directory?) {
    do throws(Errno) {
      let directory: Files.Directory
      if let entry = work.entry {
        directory = try open(entry.name, entry.key, in: work.parent)
      } else {
        directory = try scanner.files.reopenForListing(work.parent)
      }
      return (
        scanner.scan(directory, number: work.number, level: work.level, path: work.path, entry: work.known), directory
      )
    } catch {
      var listing = DirectoryListing(number: work.number)
      listing.failure = error
      return (listing, nil)
    }
  }

  /// Opens a directory that was found, unless its name belongs to another directory by now.
  private func open(_ name: FileName, _ key: FileKey, in parent: Files.Directory) throws(Errno) -> Files.Directory {
    let files = scanner.files
    let directory = try name.withView { (view) throws(Errno) in
      try files.openDirectory(view, in: parent, for: .list)
    }
    guard FileKey(try files.status(of: directory)) == key else { throw .noSuchFileOrDirectory }
    return directory
  }

  /// Numbers the subdirectories, and passes the listing on before theirs can come.
  private func finish(_ work: Work, _ listing: DirectoryListing, _ handle: Files.Directory?) {
    var listing = listing
    let (isWorkAwaited, mustSignalListings) = state.withLock { state in
      var children: [Work] = []
      for index in listing.entries.indices where listing.entries[index].listing != 0 {
        let number = state.nextNumber
        state.nextNumber += 1
        listing.entries[index].listing = number
        guard let handle, !state.isCancelled else { continue }
        children.append(child(of: work, listing, listing.entries[index], number, handle))
      }
      state.listings.append(listing)
      state.stack.append(contentsOf: children)
      state.active -= 1
      let isEnough = state.listings.count >= Self.listingsAtATime || state.isDone
      let mustSignalListings = state.areListingsAwaited && isEnough
      if mustSignalListings { state.areListingsAwaited = false }
      return (state.idle > 0 && (!children.isEmpty || state.isDone), mustSignalListings)
    }
    if isWorkAwaited { workSignal.send() }
    if mustSignalListings { resultSignal.send() }
  }

  private func child(
    of work: Work, _ listing: DirectoryListing, _ entry: ScannedEntry, _ number: UInt32, _ handle: Files.Directory
  ) -> Work {
    let start = Int(entry.nameStart)
    let bytes = listing.names[start..<start + Int(entry.nameCount)]
    var path = work.path
    if scanner.filter.needsPaths {
      if !path.isEmpty { path.append(UInt8(ascii: "/")) }
      path.append(contentsOf: bytes)
    }
    let found = (name: FileName(bytes: bytes), key: entry.entry.key)
    let known = work.known.flatMap { scanner.known?.graph.node(named: bytes.span, in: $0) }
    return Work(parent: handle, entry: found, number: number, level: work.level + 1, path: path, known: known)
  }
}

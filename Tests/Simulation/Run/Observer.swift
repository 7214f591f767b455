import FileEvents
import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// One observer of the simulated machine, and what it has told.
final class Observer {
  typealias SimulatedEngine = Engine<SimulatedFileSystem, SimulatedEventSource>

  unowned let simulation: Simulation
  let number: Int
  private(set) var source: SimulatedEventSource
  private(set) var engine: SimulatedEngine?
  /// What its listener has made of it.
  private(set) var replay: ReplayTree
  /// What it told since the last quiet point.
  var told: [Told] = []
  /// Called with every change that is told.
  var listener: ((Told) -> Void)?
  /// What its listeners ask for besides the changes of the tree, and what they were told of it.
  var details: () -> FileSystemObserver.Details = { [] }
  var toldDetails: [FileSystemChange] = []
  /// What it told in all, where that is wanted.
  var chronicle: [Told]?
  /// Listeners that begin while it observes.
  private(set) var joiners: Joiners
  /// What there was at the last quiet point.
  var settled: SettledTree
  /// What it took the content of each file to be at the last quiet point.
  var knownContents: [UUIDBits: KnownContent] = [:]
  /// What has been told of each identity that is there.
  var standing: [UUIDBits: Standing] = [:]
  /// Of what each identity was told to be a copy.
  var originals: [UUIDBits: UUIDBits] = [:]
  /// Of what a copy that was told and not stored is a copy, until the next quiet point.
  var unstoredCopies: [UUIDBits: UUIDBits] = [:]
  /// The copies that have given way to their originals since the last quiet point, with those.
  var yielded: [UUIDBits: UUIDBits] = [:]
  /// What has been told and is still to be told as finished.
  var arriving: Set<UUIDBits> = []
  /// Whether it took some of the events that were there, and the others long after, or lost some.
  var isTorn = false
  /// Identities whose tag was copied while it did not look: without a memory it cannot know which file is the original.
  private(set) var ambiguous: Set<UUIDBits> = []
  /// Whether it has seen the whole tree.
  private var seesAll = false
  /// Since when it observes.
  private(set) var began: Int64 = .max
  /// The change set of the first scan.
  private(set) var firstScanSet: UInt64 = 0
  /// Since when events wait that could have been taken with earlier ones.
  private var tornSince: Int64?
  /// Records its last life, where that is wanted.
  private(set) var flightRecorder: FlightRecorder?
  /// What its store has, from which it begins the next time.
  private var stored: ResumedTree?
  /// Of what it told something, while it has a store.
  private var toldIdentities: [UUIDBits] = []
  /// What its store may be found to have.
  private var kept: KeptStates
  /// When it took events last.
  private var lastTaken: Int64 = .min / 2

  init(_ simulation: Simulation, _ number: Int) {
    self.simulation = simulation
    self.number = number
    source = simulation.makeSource(number)
    kept = KeptStates(seed: simulation.options.seed &+ UInt64(number))
    replay = ReplayTree(simulation.names, root: simulation.places.tree)
    joiners = Joiners(seed: simulation.options.seed)
    settled = SettledTree(root: simulation.places.tree)
  }

  var disk: SimulatedDisk { simulation.disk }
  var pendingCount: Int { engine == nil ? 0 : source.pendingCount }
  var nextDeadline: MonotonicTime? {
    guard let engine else { return nil }
    return [engine.nextDeadline, nextPass, storeDue].compactMap { $0 }.min()
  }

  /// When it looks by itself, unless it has seen everything that happened.
  private var nextPass: MonotonicTime? {
    source.nextPass(toSee: max(simulation.lastStep, simulation.files.lastTagWrite))
  }

  /// When its store is written because tags wait for that.
  private var storeDue: MonotonicTime? {
    losesWrites && engine?.awaitsStore == true ? MonotonicTime(nanoseconds: lastTaken) + Self.storeDelay : nil
  }

  private static let storeDelay: Int64 = 100_000_000

  private var losesWrites: Bool { simulation.options.stores == true && simulation.options.losesWrites == true }

  func note(_ text: @autoclosure () -> String) {
    simulation.note(simulation.observers.count > 1 ? "[\(number)] " + text() : text())
  }
}

// MARK: - Life

extension Observer {
  func begin() {
    guard engine == nil else { return }
    simulation.enter(number)
    var settings = SimulatedEngine.Settings(path: FilePath("tree"))
    settings.scanThreads = 0
    settings.filter = simulation.options.filter
    settings.burst = simulation.options.burst ?? settings.burst
    flightRecorder = simulation.flightRecords.map { FlightRecorder(capacity: $0) }
    settings.recorder = flightRecorder
    settings.resumed = stored
    settings.awaitsStore = losesWrites
    do throws(Errno) {
      let files = simulation.files
      let made = try SimulatedEngine(files: files, source: source, settings: settings) { [unowned self] in take($0) }
      made.hasPendingHints = { [source] in source.hasPending($0) }
      let hub = joiners.hub
      made.scopes = { hub.scopes }
      made.details = { [unowned self] in details() }
      made.assertsInvariants = false
      engine = made
      stored = nil
      made.scanFirst(at: simulation.moment)
      seesAll = true
      began = disk.now
    } catch {
      note("does not start: \(error)")
    }
  }

  /// The process is killed: what it knew is lost, and its marks are gone.
  func kill() {
    guard let killed = engine else { return }
    note("killed")
    if simulation.options.stores == true {
      takeStored(kept.left(now: state(of: killed), losingWrites: losesWrites))
    }
    engine = nil
    seesAll = false
    noteCopiedTags()
    source.close()
    source = simulation.makeSource(number)
    simulation.joinCount += joiners.count
    joiners = Joiners(seed: simulation.options.seed &+ UInt64(simulation.joinCount))
    if stored == nil { forgetWhatWasTold() }
    isTorn = true
    began = .max
    firstScanSet = 0
    tornSince = nil
  }

  /// Its store has this, and so has whoever follows it by cursor.
  private func takeStored(_ state: KeptState?) {
    stored = state?.tree
    if state.map({ $0.toldCount < toldIdentities.count }) ?? true { simulation.hasLostWrites = true }
    guard let state else { return }
    noteUnstoredCopies(since: state)
    replay = state.replay.copied()
    (knownContents, standing) = (state.knownContents, state.standing)
    (originals, arriving) = (state.originals, state.arriving)
    // What was told since then and is lost may be told otherwise now.
    settled.remove(Set(toldIdentities[state.toldCount...]))
    toldIdentities.removeSubrange(state.toldCount...)
  }

  /// Copies whose announcement is lost are announced again: until the store has them, they have the tag of the original.
  private func noteUnstoredCopies(since state: KeptState) {
    for uuid in toldIdentities[state.toldCount...] where state.replay.place(of: uuid) == nil {
      unstoredCopies[uuid] = originals[uuid]
    }
  }

  private func state(of engine: SimulatedEngine) -> KeptState? {
    guard !engine.holdsChanges, let tree = engine.treeToStore() else { return nil }
    var contents: [UUIDBits: KnownContent] = [:]
    tree.forEachKnownItem { item in
      if item.kind == .file { contents[item.uuid] = KnownContent(size: item.size, modified: item.modified) }
    }
    return KeptState(
      tree: tree, replay: replay.copied(), knownContents: contents, standing: standing, originals: originals,
      arriving: arriving, toldCount: toldIdentities.count)
  }

  /// Writes the store now and then.
  private func keep(_ engine: SimulatedEngine) {
    guard losesWrites, kept.isDue(), let state = state(of: engine) else { return }
    kept.append(state)
    if let certain = kept.certainSequence { engine.noteStored(through: certain) }
  }

  /// Writes the store if tags have waited for that long enough.
  private func writeStore(_ engine: SimulatedEngine) {
    guard let storeDue, storeDue <= simulation.moment, let state = state(of: engine) else { return }
    note("the store is written")
    kept.write(state)
    engine.noteStored(through: state.tree.sequence)
  }

  /// What its listeners knew is lost with it.
  private func forgetWhatWasTold() {
    replay = ReplayTree(simulation.names, root: simulation.places.tree)
    knownContents = [:]
    standing = [:]
    originals = [:]
    arriving = []
    told = []
  }

  /// Others have copied a tag, perhaps.
  ///
  /// - Parameter paths: Whose own tags may have been overwritten.
  func noteCopiedTags(over paths: [Path] = []) {
    if seesAll { return }
    let shared = disk.sharedTags().union(paths.compactMap { settled.item(at: $0)?.uuid })
    // Those that do know yield, perhaps, for all are to agree.
    for observer in simulation.observers { observer.ambiguous.formUnion(shared) }
  }

  /// Takes what cannot be known out of what was known at the last quiet point.
  func forgetAmbiguous() {
    guard !ambiguous.isEmpty else { return }
    settled.remove(ambiguous)
    ambiguous = []
  }

  /// A call failed: what it hid is not known.
  func noteFault() {
    seesAll = false
    noteCopiedTags()
  }

  /// After faults, or where it was killed, it is made to look at everything.
  func recover() {
    simulation.enter(number)
    if engine == nil {
      begin()
    } else if simulation.window.hasFaults {
      isTorn = true
      if engine?.isRootLost == true { _ = engine?.returnToRoot(at: simulation.moment) }
      engine?.rescan(.eventsLost, at: simulation.moment)
      seesAll = true
    }
  }

  /// One turn of the driver's loop.
  func deliver(_ count: Int) {
    guard let engine, source.pendingCount > 0 else { return }
    simulation.enter(number)
    if let tornSince, disk.now - tornSince > 100_000_000 { noteLate() }
    // Events bear no times: what followed at once upon what was taken then seems to have happened when it is taken at
    // last.
    if let oldest = source.oldest, disk.now - oldest > 100_000_000, oldest - lastTaken < 1_000_000_000 { noteLate() }
    // Who looks now and then never sees how it came to be.
    if simulation.options.source.polls { noteLate() }
    // What the kernel has not given out yet nobody knows of; but now and then it has been read by the time that is
    // asked.
    let batch = source.read(upTo: count)
    let isLast = source.pendingCount == 0 || count % 4 != 0
    handle(batch, isLast: isLast, engine)
    advance()
  }

  /// Whoever shares the tree with it comes to agree with it, perhaps.
  private func noteLate() {
    isTorn = true
    simulation.window.isTorn = true
  }

  func handle(_ batch: HintBatch, isLast: Bool = true, _ engine: SimulatedEngine) {
    for hint in batch.hints { note("hint \(hint.text)") }
    lastTaken = disk.now
    tornSince = source.pendingCount > 0 || disk.half != nil ? tornSince ?? disk.now : nil
    // The driver has none but these.
    if batch.isEmpty { return }
    engine.handle(batch, isLast: isLast, at: simulation.moment)
    checkInvariants(of: engine)
    // During an operation a snapshot would have to wait for its end.
    if !engine.holdsChanges { joiners.turn(engine) }
    keep(engine)
    guard batch.overflowed else { return }
    isTorn = true
    engine.rescan(.eventsLost, at: simulation.moment)
  }

  func advance() {
    guard let engine else { return }
    writeStore(engine)
    guard let deadline = engine.nextDeadline, deadline <= simulation.moment else { return }
    simulation.enter(number)
    if let oldest = source.oldest, disk.now - oldest > 100_000_000 { noteLate() }
    source.deliverPending()
    if source.pendingCount > 0 { handle(source.read(upTo: .max), engine) }
    note("advance")
    engine.advance(to: simulation.moment)
    checkInvariants(of: engine)
    joiners.turn(engine)
    keep(engine)
  }

  private func checkInvariants(of engine: SimulatedEngine) {
    for text in engine.brokenInvariants().prefix(3) { simulation.report(.invariant, text) }
  }

  /// Lets go of what is remembered for a while only.
  func forget() {
    simulation.enter(number)
    engine?.advance(to: simulation.moment)
  }

  /// Whether nothing is waited for but files that are held up by a sibling.
  var isAtRest: Bool {
    guard let engine, nextDeadline != nil else { return true }
    if nextPass != nil { return false }
    let questions = engine.openQuestions()
    let isOpen = questions.counts.contains { Self.decisions.contains($0.book) && $0.count > 0 }
    return !isOpen && !questions.unfinished.isEmpty && questions.unfinished.allSatisfy { simulation.isHeldUp($0) }
  }

  private static let decisions: Set = ["unresolved", "aheadOfLog", "requests", "placesToInspect", "heldTags"]

  /// The books that are not empty.
  var openBooks: [String] {
    guard let questions = engine?.openQuestions() else { return [] }
    return questions.counts.filter { $0.count > 0 && $0.book != "timers" }.map(\.book)
  }
}

// MARK: - What it tells

extension Observer {
  private func take(_ output: EngineOutput) {
    joiners.take(output)
    let names = simulation.names
    switch output {
    case .discovered(let inventory, let sequence):
      firstScanSet = sequence
      take(names.told(inventory, sequence, at: disk.now, below: simulation.places.tree), sequence)
    case .changes(let log, _, let sequence):
      take(names.told(log.whole, sequence, at: disk.now, below: simulation.places.tree), sequence)
    case .diagnostic(let diagnostic):
      note("diagnostic: \(diagnostic.message)")
      // Nothing is mounted there.
      if diagnostic.code == .directoryLoop { simulation.report(.contradiction, diagnostic.message, subject: "loop") }
    case .rootLost:
      if simulation.window.hasFaults { return note("the root is lost") }
      simulation.report(.unrest, "the root is lost")
    case .willScan(let reason): note("scan: \(reason)")
    case .didScan: note("scanned")
    case .details(let details, _): toldDetails += details.map(\.change)
    case .progress, .rootMoved: break
    }
  }

  private func take(_ changes: [Told], _ sequence: UInt64) {
    for change in changes { note("TOLD \(sequence): \(simulation.names.text(change))") }
    let before = replay.contradictions.count
    replay.apply(sequence, changes)
    for text in replay.contradictions.dropFirst(before) { simulation.report(.contradiction, text) }
    told += changes
    noteYielded(changes)
    if simulation.options.stores == true { toldIdentities += changes.map(\.uuid) }
    chronicle?.append(contentsOf: changes)
    for change in changes { follow(change, changes) }
    if let listener { changes.forEach(listener) }
  }
}

extension Hint {
  /// The hint in words.
  fileprivate var text: String {
    let all: [(HintKinds, String)] = [
      (.created, "created"), (.removed, "removed"), (.movedFrom, "movedFrom"), (.movedTo, "movedTo"),
      (.written, "written"), (.closed, "closed"), (.attributes, "attributes"), (.directory, "directory"),
      (.selfRemoved, "selfRemoved"), (.selfMoved, "selfMoved"), (.markGone, "markGone"),
    ]
    let ways: [(HintTraits, String)] = [(.unordered, "unordered"), (.look, "look"), (.own, "own")]
    let words = all.filter { kinds.contains($0.0) }.map(\.1) + ways.filter { traits.contains($0.0) }.map(\.1)
    let said = words.joined(separator: "+")
    let inode = file.map { " file \($0.inode)" } ?? ""
    return "\(said) \(name?.description ?? "-") in watch \(directory.rawValue) cookie \(cookie)\(inode)"
  }
}

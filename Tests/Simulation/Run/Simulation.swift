import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// One run: a machine, the programs on it, and its observers, taken one item at a time.
final class Simulation {
  let names: NameTable
  let disk: SimulatedDisk
  let places: Places
  let files: SimulatedFileSystem
  let options: WorldOptions
  private(set) var observers: [Observer] = []
  /// Programs that have not ended.
  private(set) var running: [Process] = []
  /// What happened since the last quiet point.
  var window = Window()
  private(set) var violations: [Violation] = []
  /// Whether an observer went on from an earlier state than the one that it had.
  var hasLostWrites = false
  /// System calls of programs, in all.
  private(set) var callCount = 0
  /// How many listeners have begun with observers that are gone.
  var joinCount = 0
  /// How many listeners have begun at some moment.
  var allJoins: Int { observers.reduce(joinCount) { $0 + $1.joiners.count } }
  /// Calls of observers, in all.
  private(set) var observerCallCount = 0
  /// What happened, in words, where that is wanted.
  var journal: [String]?
  private var lastNote = ""
  /// How many records each observer's flight recorder keeps, where there is to be one.
  var flightRecords: Int?
  /// More calls than this an observer does not need in one turn.
  private static let longestTurn = 100_000

  /// When a program did something last.
  private(set) var lastStep: Int64 = 0

  /// What happens while an observer works.
  private var calls = 0
  private var planned: [Disturbance] = []
  private var done: [Disturbance] = []
  /// Chooses what happens where nothing is planned.
  var disturb: ((CallKind) -> Disturbance.Kind?)?

  init(options: WorldOptions, names: NameTable) {
    self.options = options
    self.names = names
    disk = SimulatedDisk(standard: names)
    places = Places(names)
    files = SimulatedFileSystem(disk, trash: places.trash)
    files.entriesAtATime = options.entriesAtATime ?? 1
    files.missesToPresume = options.missesToPresume ?? .max
    observers = (0..<options.observers).map { Observer(self, $0) }
    files.interlude = { [unowned self] kind in interlude(kind) }
  }

  /// Ends the run and breaks its cycles.
  func tearDown() {
    files.interlude = { _ in nil }
    for observer in observers { observer.kill() }
    disk.tearDown()
  }

  /// A new source of events for an observer.
  func makeSource(_ observer: Int) -> SimulatedEventSource {
    SimulatedEventSource(
      options.source, files, process: Self.process(of: observer), capacity: options.queueCapacity,
      room: options.room)
  }

  /// The number of an observer's process, which no program has.
  private static func process(of observer: Int) -> Int { -1 - observer }

  /// From now on an observer makes the calls.
  func enter(_ observer: Int) { disk.process = Self.process(of: observer) }

  func report(_ rule: Violation.Rule, _ text: String, subject: String = "") {
    if hasLostWrites, rule.needsMemory { return }
    violations.append(Violation(rule, text, subject: subject))
    note("VIOLATED \(rule): \(text)")
  }

  func note(_ text: @autoclosure () -> String) {
    guard journal != nil else { return }
    let line = text()
    // Of many lines that say the same only the first says something.
    if line == lastNote { return }
    lastNote = line
    journal?.append("\(milliseconds) \(line)")
  }

  private var milliseconds: String {
    let microseconds = String(disk.now / 1_000)
    return microseconds.dropLast(3) + "." + microseconds.suffix(3)
  }

  var moment: MonotonicTime { MonotonicTime(nanoseconds: disk.now) }
}

// MARK: - Items

extension Simulation {
  /// Does one item.
  ///
  /// Returns it with what was chosen to happen meanwhile.
  @discardableResult
  func perform(_ item: Item) -> Item {
    switch item {
    case .start(let operation):
      running.append(Process(operation, disk))
      note("#\(operation.id) \(operation.title) starts")
    case .step(let id, let interrupted): step(id, interrupted)
    case .pass(let time): disk.pass(time)
    case .begin(let number, _): return during(item, observers[number]) { $0.begin() }
    case .kill(let number): observers[number].kill()
    case .deliver(let number, let count, _): return during(item, observers[number]) { $0.deliver(count) }
    case .operate(let number, let id, _): return during(item, observers[number]) { operate($0, id) }
    case .advance(let number, _): return during(item, observers[number]) { $0.advance() }
    case .settle(let forgets): settle(forgets: forgets)
    }
    return item
  }

  private func step(_ id: Int, _ interrupted: Bool, by caller: Int? = nil) {
    guard let index = running.firstIndex(where: { $0.operation.id == id }), running[index].isReady else { return }
    let process = running[index]
    if let action = process.nextAction { note("#\(id) \(names.text(action))\(interrupted ? " (interrupted)" : "")") }
    disk.completeRename()
    let writesTag = process.nextAction?.writesTag == true
    if process.nextAction?.own != nil, caller == nil { process.isBypassing = true }
    let current = disk.process
    disk.process = caller ?? id
    lastStep = disk.now
    process.step(interrupted: interrupted)
    disk.process = current
    if writesTag { for observer in observers { observer.noteCopiedTags(over: process.operation.writes) } }
    callCount += 1
    disk.pass(2_000)
    if let failure = process.failure { note("#\(id) fails: \(failure)") }
    if process.isDone { end(index) }
  }

  /// An observer does the next step of a program.
  private func operate(_ observer: Observer, _ id: Int) {
    guard let process = running.first(where: { $0.operation.id == id && $0.isReady }),
      let own = process.nextAction?.own
    else { return }
    disk.completeRename()
    observer.operate(own, asked: { done.isEmpty }) { () throws(Errno) in
      step(id, false, by: disk.process)
      if let failure = process.failure { throw failure }
    }
  }

  private func end(_ index: Int) {
    let process = running.remove(at: index)
    // A program that was kept waiting in the middle of a save leaves the document missing for longer than any window.
    // Without the observer's knowledge, what an app asks of it looks like anybody's doing.
    let isKnown = process.operation.isOwn ? !process.isBypassing && observers.count == 1 : true
    let isClear = process.failure == nil && process.delay < 60_000_000 && isKnown
    window.ended.append(Window.Ended(operation: process.operation, isClear: isClear, began: process.began))
  }

  private func during(_ item: Item, _ observer: Observer, _ body: (Observer) -> Void) -> Item {
    calls = 0
    planned = item.plan.reversed()
    done = []
    body(observer)
    planned = []
    if done.contains(where: \.isFault) { observer.noteFault() }
    return item.disturbed(by: done)
  }

  /// Another call of an observer: others may do something before it, or it may fail.
  @discardableResult
  func interlude(_ kind: CallKind) -> Errno? {
    calls += 1
    observerCallCount += 1
    if calls > Self.longestTurn { return endless() }
    disk.pass(1_000)
    if let disturb {
      guard let chosen = disturb(kind) else { return nil }
      return happen(Disturbance(call: calls, kind: chosen))
    }
    var fault: Errno?
    while let next = planned.last, next.call <= calls {
      planned.removeLast()
      fault = happen(next) ?? fault
    }
    return fault
  }

  /// More calls than any turn needs: the observer goes in circles, and only errors can end that.
  private func endless() -> Errno {
    if calls == Self.longestTurn + 1 { report(.unrest, "the observer goes in circles", subject: "circles") }
    return .ioError
  }

  private func happen(_ disturbance: Disturbance) -> Errno? {
    done.append(disturbance)
    switch disturbance.kind {
    case .step(let process, let interrupted): step(process, interrupted)
    case .fault(let errno):
      note("the next call fails: \(errno)")
      window.hasFaults = true
      return errno
    }
    return nil
  }
}

// MARK: - Quiet points

extension Simulation {
  /// How many deadlines may pass before all is quiet: in a long world there are many at once.
  private static let patience = 4_000

  private func settle(forgets: Bool) {
    calls = 0
    let disturb = disturb
    self.disturb = nil
    defer { self.disturb = disturb }
    finishPrograms()
    note("settling")
    for observer in observers { observer.recover() }
    deliverAll()
    passDeadlines()
    if forgets {
      forget()
      // What is decided only now, because a file was held up, is looked at once more.
      if nextDeadline != nil { forget() }
    }
    for observer in observers { observer.check(forgets: forgets) }
    for observer in observers { (observer.told, observer.yielded) = ([], [:]) }
    window = Window()
    window.aliases = aliases()
  }

  private func forget() {
    disk.pass(2_000_000_000)
    for observer in observers { observer.forget() }
    deliverAll()
    passDeadlines()
  }

  private func passDeadlines() {
    var turns = 0
    while let deadline = nextDeadline, turns < Self.patience, !isAtRest(after: turns) {
      disk.pass(max(0, deadline - moment))
      for observer in observers { observer.advance() }
      deliverAll()
      turns += 1
    }
    if turns >= Self.patience { reportUnrest(turns) }
  }

  private func reportUnrest(_ turns: Int) {
    let books = observers.flatMap(\.openBooks)
    let open = books.isEmpty ? "timers" : books.joined(separator: ", ")
    report(.unrest, "there is still a deadline after \(turns) turns: \(open)", subject: books.first ?? "timers")
  }

  private var nextDeadline: MonotonicTime? { observers.compactMap { $0.nextDeadline }.min() }

  /// Whatever programs have not done yet they do one after the other; the observers work only while they sleep.
  private func finishPrograms() {
    while let next = running.min(by: { ($0.wakes, $0.operation.id) < ($1.wakes, $1.operation.id) }) {
      if next.wakes > disk.now {
        deliverAll()
        let deadline = nextDeadline?.nanoseconds ?? .max
        disk.pass(max(0, min(deadline, next.wakes) - disk.now))
        for observer in observers { observer.advance() }
      } else if next.nextAction?.own != nil, let observer = observers.first {
        operate(observer, next.operation.id)
      } else {
        step(next.operation.id, false)
      }
    }
    disk.completeRename()
  }

  private func deliverAll() {
    disk.completeRename()
    var turns = 0
    while let observer = observers.first(where: { $0.pendingCount > 0 }) {
      observer.deliver(1_000)
      turns += 1
      if turns > Self.patience { return report(.unrest, "events do not end", subject: "events") }
    }
  }

  /// Files that are held up by a sibling may wait for ever.
  private func isAtRest(after turns: Int) -> Bool {
    guard turns >= 60, turns % 20 == 0 else { return false }
    return observers.allSatisfy { $0.isAtRest }
  }
}

import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// Makes a run from a seed: chooses each item by what there is, does it, and writes it down.
struct Generator {
  let simulation: Simulation
  private(set) var items: [Item] = []
  private var maker: OperationMaker
  private var random: Random
  private let options: WorldOptions

  init(options: WorldOptions, names: NameTable) {
    self.options = options
    simulation = Simulation(options: options, names: names)
    random = Random(seed: options.seed)
    maker = OperationMaker(
      simulation.disk, simulation.places, seed: options.seed &+ 1, without: options.excluded, only: options.only,
      ownShare: options.ownShare ?? 0)
  }

  /// Runs until so many operations have been done, or a rule is violated.
  mutating func run(operations count: Int) {
    begin()
    while maker.nextID < count, simulation.violations.isEmpty { runWindow() }
    simulation.disturb = nil
  }

  private mutating func perform(_ item: Item) {
    items.append(simulation.perform(item))
  }

  /// What there is before the observers begin.
  private mutating func begin() {
    for _ in 0..<options.initialItems {
      let kind = random.pick([OperationKind.createFile, .createTree, .copy, .link, .createOther]) ?? .createFile
      guard let operation = maker.make(kind) else { continue }
      perform(.start(operation))
      while simulation.running.contains(where: { $0.operation.id == operation.id }) { stepOrSleep() }
    }
    if random.chance(2, of: 3) { perform(.pass(20_000_000_000)) }
    prepareDisturbances()
    for number in 0..<options.observers { perform(.begin(number, [])) }
    perform(.settle(forgets: true))
  }

  /// Some operations at once, until all is quiet again.
  private mutating func runWindow() {
    var left = 1 + random.below(options.window)
    var idle = 0
    while (left > 0 || !simulation.running.isEmpty) && idle < 2_000 {
      idle += 1
      if left > 0, simulation.running.count < options.processes, random.chance(1, of: 3) {
        left -= 1
        if let operation = maker.make() { perform(.start(operation)) }
      } else {
        turn()
      }
    }
    perform(.settle(forgets: random.chance(3, of: 4)))
  }

  private mutating func turn() {
    let observer = random.below(options.observers)
    switch random.below(16) {
    case 0: pass()
    case 1: perform(.advance(observer, []))
    case 2..<2 + options.eagerness where simulation.observers[observer].pendingCount > 0:
      perform(.deliver(observer, 1 + random.below(random.chance(1, of: 2) ? 4 : 1_000), []))
    default:
      if options.kills > 0, random.chance(options.kills, of: 1_000) { return restart(observer) }
      stepOrSleep()
    }
  }

  private mutating func restart(_ observer: Int) {
    perform(.kill(observer))
    if random.chance(1, of: 2) { stepOrSleep() }
    perform(.begin(observer, []))
  }

  private mutating func pass() {
    // Who is ready to go on is not kept waiting for long.
    let isBusy = simulation.running.contains(where: \.isReady)
    let wakes = simulation.running.map { max(1_000, $0.wakes - simulation.disk.now) }.min() ?? .max
    let time = min(random.time(1_000, 2_000_000_000), isBusy ? 10_000_000 : wakes)
    deliverMostly()
    perform(.pass(untilRenameIsComplete(time)))
  }

  /// Who waits for events gets those of a rename that was interrupted as soon as it goes on.
  private func untilRenameIsComplete(_ time: Int64) -> Int64 {
    guard let half = simulation.disk.half else { return time }
    return min(time, max(1_000, half.until - simulation.disk.now + 1))
  }

  /// Events seldom wait for long.
  private mutating func deliverMostly() {
    for number in 0..<options.observers where simulation.observers[number].pendingCount > 0 {
      if random.chance(15, of: 16) { perform(.deliver(number, 1_000, [])) }
    }
  }

  private mutating func stepOrSleep() {
    let ready = simulation.running.filter(\.isReady)
    if let process = random.pick(ready) {
      if process.nextAction?.own != nil {
        return perform(.operate(random.below(options.observers), process: process.operation.id, []))
      }
      return perform(.step(process.operation.id, interrupted: isInterrupted(process)))
    }
    guard let wakes = simulation.running.map(\.wakes).min() else { return }
    deliverMostly()
    let deadline = simulation.observers.compactMap { $0.nextDeadline?.nanoseconds }.min() ?? .max
    perform(.pass(untilRenameIsComplete(max(1_000, min(wakes, deadline) - simulation.disk.now))))
    for number in 0..<options.observers { perform(.advance(number, [])) }
  }

  private mutating func isInterrupted(_ process: Process) -> Bool {
    guard options.halves > 0, case .rename = process.nextAction else { return false }
    return random.chance(options.halves, of: 100)
  }

  /// While an observer works, others may do a step before each of its calls, and calls may fail.
  private func prepareDisturbances() {
    guard options.interludes > 0 || options.faults > 0 else { return }
    var random = Random(seed: options.seed &+ 2)
    let (simulation, options) = (simulation, options)
    simulation.disturb = { [unowned simulation] kind in
      if options.faults > 0, random.chance(options.faults, of: 1_000), let errno = random.pick(kind.faults) {
        return .fault(errno)
      }
      guard options.interludes > 0, random.chance(kind == .commit ? 250 : options.interludes, of: 1_000) else {
        return nil
      }
      guard let process = random.pick(simulation.running.filter(\.isReady)) else { return nil }
      return .step(process: process.operation.id, interrupted: false)
    }
  }
}

extension CallKind {
  /// How a call of this kind can fail.
  fileprivate var faults: [Errno] {
    switch self {
    case .open: [.ioError, .noMemory, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .permissionDenied]
    case .look, .list: [.ioError, .noMemory]
    case .readTag: [.ioError, .noMemory]
    case .writeTag: [.ioError, .noSpace, .diskQuotaExceeded, .readOnlyFileSystem, .notPermitted, .noMemory]
    case .probe: [.ioError, .tooManyOpenFiles]
    case .mark: [.noSpace, .noMemory]
    case .commit: []
    }
  }
}

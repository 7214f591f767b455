import FileIdentity
import FileSystemObservation
import FoundationEssentials
import LinuxFileSystem
import ObservationCorpus
import SystemPackage

/// Does what an application did, while an observer takes events and looks as its schedule says.
final class Reenactment {
  private let schedule: Schedule
  private let simulation: Simulation
  private var random: Random
  /// When events that wait are taken.
  private var taking: Int64?
  /// When the observer looks for a deadline.
  private var look: (deadline: Int64, time: Int64)?
  private var account = Account()

  init(_ schedule: Schedule, _ names: NameTable) {
    self.schedule = schedule
    random = schedule.random
    simulation = Simulation(options: .alone(includesHidden: schedule.includesHidden), names: names)
  }

  func tearDown() { simulation.tearDown() }

  private var recording: Recording { schedule.recording }
  private var observer: Observer { simulation.observers[0] }
  private var disk: SimulatedDisk { simulation.disk }

  /// Gives what is wrong.
  func run() -> [String] {
    do throws(Errno) {
      try RecordedFolder(recording, simulation).prepare()
    } catch {
      return ["what was there before cannot be made: \(error)"]
    }
    if schedule.isOld { simulation.perform(.pass(20_000_000_000)) }
    simulation.perform(.begin(0, []))
    simulation.perform(.settle(forgets: true))
    account.identities = tags(of: recording.before.keys)
    observer.chronicle = []
    perform()
    simulation.perform(.settle(forgets: true))
    concludeAccount()
    return simulation.violations.map { "\($0.rule): \($0.text)" } + Grader.faults(recording, account)
  }

  func journal() -> [String] {
    simulation.journal = []
    let faults = run()
    return (simulation.journal ?? []) + faults
  }

  private func tags(of paths: some Sequence<String>) -> [String: UUID] {
    var tags: [String: UUID] = [:]
    for path in paths {
      if case .uuid(let bits) = disk.find(place(path))?.tag { tags[path] = UUID(bits) }
    }
    return tags
  }

  private func place(_ path: String) -> Path {
    Path(simulation.places.tree.names + simulation.names.path(path).names)
  }

  private func concludeAccount() {
    account.tags = tags(of: recording.after.keys)
    for path in recording.after.keys { account.lastWrites[path] = disk.find(place(path))?.lastWrite }
    let above = simulation.places.tree.names.count
    func text(_ path: Path) -> String { simulation.names.text(Path(Array(path.names.dropFirst(above)))) }
    account.sayings = (observer.chronicle ?? []).map { told in
      Account.Saying(
        told.kind, UUID(told.uuid), text(told.path), previousPath: told.previous.map(text),
        original: told.original.map { UUID($0) }, time: told.time)
    }
  }
}

// MARK: - The course of events

extension Reenactment {
  private func perform() {
    if recording.operations.isEmpty { return }
    simulation.perform(.start(RecordedProgram.operation(recording, simulation.names, simulation.places)))
    simulation.disturb = { [unowned self] _ in disturb() }
    while let process = simulation.running.first { turn(process) }
    simulation.disturb = nil
  }

  private func turn(_ process: Process) {
    setTimes()
    if let taking, taking <= disk.now { return take() }
    if let look, look.time <= disk.now {
      self.look = nil
      simulation.perform(.advance(0, []))
    } else if process.isReady {
      if observer.pendingCount > 0, random.chance(schedule.eagerness, of: 16) { return take() }
      step(process)
    } else {
      let next = min(process.wakes, taking ?? .max, look?.time ?? .max)
      simulation.perform(.pass(untilRenameIsComplete(next - disk.now)))
    }
  }

  /// Decides how long what has come up waits.
  private func setTimes() {
    if observer.pendingCount == 0 {
      taking = nil
    } else if taking == nil {
      taking = schedule.lag.map { disk.now + Int64(random.below(Int($0) + 1)) } ?? .max
    }
    let deadline = observer.nextDeadline?.nanoseconds
    if let deadline, look?.deadline != deadline {
      look = (deadline, max(disk.now, deadline) + Int64(random.below(Int(schedule.lateness) + 1)))
    } else if deadline == nil {
      look = nil
    }
  }

  private func take() {
    let count =
      switch schedule.taking {
      case .together: Int.max
      case .oneByOne: 1
      case .few: 1 + random.below(4)
      }
    simulation.perform(.deliver(0, count, []))
    taking = nil
  }

  private func step(_ process: Process) {
    simulation.perform(.step(process.operation.id, interrupted: isInterrupted(process)))
  }

  private func isInterrupted(_ process: Process) -> Bool {
    guard case .rename = process.nextAction else { return false }
    return random.chance(schedule.halves, of: 100)
  }

  /// Who waits for events gets those of a rename that was interrupted as soon as it goes on.
  private func untilRenameIsComplete(_ time: Int64) -> Int64 {
    guard let half = disk.half else { return time }
    return min(time, max(1_000, half.until - disk.now + 1))
  }

  /// Before a call of the observer the program goes on, if it is ready soon.
  private func disturb() -> Disturbance.Kind? {
    guard schedule.interludes > 0, random.chance(schedule.interludes, of: 1_000),
      let process = simulation.running.first
    else { return nil }
    let wait = process.wakes - disk.now
    if wait > 0 {
      guard wait <= schedule.preemption else { return nil }
      disk.pass(wait)
    }
    return .step(process: process.operation.id, interrupted: isInterrupted(process))
  }
}

extension WorldOptions {
  /// One observer that loses nothing.
  static func alone(includesHidden: Bool) -> WorldOptions {
    var options = WorldOptions(seed: 0, observers: 1)
    options.includesHidden = includesHidden
    options.queueCapacity = 16_384
    options.entriesAtATime = 32
    options.missesToPresume = nil
    return options
  }
}

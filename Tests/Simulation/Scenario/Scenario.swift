package import FileIdentity
package import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// A run in the simulated machine that is written down by hand: what programs do, and when observers hear of it.
///
/// Every `run` ends with a quiet point, where all rules of the simulation must hold; what was told is given in words,
/// as in `renamed a -> d/b` or `duplicated a => a~`.
package final class Scenario {
  private let simulation: Simulation
  private var serial = 0
  /// What did not go as written, or violates a rule.
  private var mistakes: [String] = []
  /// Which calls of observers are to fail, or to be overtaken by a step of the program.
  private var disturbances: [(call: CallKind, number: Int, isStep: Bool)] = []
  /// How many steps of the program that runs are not to be done yet.
  private var stepsAhead = 0

  /// - Parameters:
  ///   - before: What is done before the observers begin; they find it at rest.
  ///   - observers: How many there are.
  ///   - begins: Whether they begin at once.
  ///   - includesHidden: Whether hidden items are observed.
  ///   - source: Where their events come from.
  ///   - markLimit: For how many directories the kernel has room, those above the tree included.
  ///   - queueCapacity: How many events the kernel keeps.
  ///   - excluding: Patterns of what is not observed; nothing that is made may match them.
  ///   - including: Patterns of what alone is observed; everything that is made must match them.
  ///   - stores: Whether an observer that was killed goes on from the tree that it knew.
  package init(
    _ before: String = "", observers: Int = 1, begins: Bool = true, includesHidden: Bool = false,
    source: SimulatedSource = .inotify, markLimit: Int? = nil, queueCapacity: Int = 16_384, excluding: [String]? = nil,
    including: [String]? = nil, stores: Bool = false
  ) {
    var options = WorldOptions(seed: 1, source: source)
    options.markLimit = markLimit
    options.observers = observers
    options.includesHidden = includesHidden
    options.queueCapacity = queueCapacity
    options.excludedItems = excluding
    options.includedItems = including
    options.stores = stores
    // A script says at which look something happens.
    options.entriesAtATime = 1
    options.missesToPresume = nil
    simulation = Simulation(options: options, names: NameTable())
    simulation.journal = []
    said = simulation.observers.map { _ in [] }
    for (number, observer) in simulation.observers.enumerated() {
      observer.listener = { [unowned self] in said[number].append(text($0)) }
    }
    perform(before)
    finishProgram()
    pass(20_000_000_000)
    guard begins else { return }
    for observer in simulation.observers { observer.begin() }
    settle()
  }

  deinit {
    simulation.tearDown()
  }

  /// Does what a script says, and returns what the first observer has told.
  @discardableResult
  package func run(_ script: String) -> [String] {
    said = simulation.observers.map { _ in [] }
    for observer in simulation.observers { observer.toldDetails = [] }
    perform(script)
    settle()
    return told
  }

  /// Does what a script says, and no more: what is begun goes on in the next run.
  package func play(_ script: String) {
    said = simulation.observers.map { _ in [] }
    perform(script)
  }

  /// What each observer told in the last run.
  package private(set) var said: [[String]]

  /// What the first observer told in the last run.
  package var told: [String] { said[0] }

  /// What listeners of the first observer ask for besides the changes of the tree; the engine calls it.
  package func ask(_ details: @escaping () -> FileSystemObserver.Details) {
    simulation.observers[0].details = details
  }

  /// What these listeners were told of it in the last run.
  package var toldDetails: [FileSystemChange] { simulation.observers[0].toldDetails }

  /// How many system calls the observers have made, in all.
  package var callCount: Int { simulation.observerCallCount }

  /// What is wrong up to now.
  package var problems: [String] { mistakes + simulation.violations.map { "\($0.rule): \($0.text)" } }

  /// All that happened, for whoever reads of a failure.
  package var journal: [String] { simulation.journal ?? [] }

  /// How often observers wrote a tag, in all.
  package var tagWrites: Int { simulation.files.tagWrites }

  /// The identity that an observer has told of what is at a path.
  package func identity(_ path: String, observer: Int = 0) -> UUIDBits? {
    simulation.observers[observer].replay.node(at: place(path))?.uuid
  }

  /// The identity in the tag of what is at a path.
  package func tag(_ path: String) -> UUIDBits? {
    if case .uuid(let uuid) = simulation.disk.find(place(path))?.tag { uuid } else { nil }
  }

  private func place(_ path: String) -> Path { simulation.names.path(path, from: simulation.places.tree) }
}

// MARK: - Commands

extension Scenario {
  private func perform(_ text: String) {
    var script = ScenarioScript(text, simulation.names, root: simulation.places.tree)
    var window: [ScenarioCommand] = []
    for command in script.commands() {
      if case .settle = command {
        perform(window)
        settle()
        window = []
      } else {
        window.append(command)
      }
    }
    perform(window)
  }

  /// What is between two quiet points is done by one program.
  private func perform(_ commands: [ScenarioCommand]) {
    finishProgram()
    begin(commands.flatMap(\.steps))
    for command in inOrder(commands) { perform(command) }
  }

  /// What happens at the commit of an operation stands after it in the script, and is known before it begins.
  private func inOrder(_ commands: [ScenarioCommand]) -> [ScenarioCommand] {
    var commands = commands
    for index in commands.indices.dropFirst() {
      if case .during(.commit, _, _) = commands[index] { commands.swapAt(index - 1, index) }
    }
    return commands
  }

  private func begin(_ steps: [Step]) {
    // What it has open it closes at its end, which is the quiet point.
    let all = steps + [Step(.sleep(0))]
    let operation = Operation(id: serial, title: "script", steps: all, intent: .anything)
    stepsAhead = all.count
    simulation.perform(.start(operation.writingItsPaths))
  }

  private func perform(_ command: ScenarioCommand) {
    switch command {
    case .steps(let steps, let isInterrupted): step(steps.count, isInterrupted)
    case .deliver(let number?, let count): simulation.observers[number].deliver(count)
    case .deliver(nil, let count): for observer in simulation.observers { observer.deliver(count) }
    case .pass(let time): pass(time)
    case .stall(let time): simulation.disk.pass(time)
    case .settle: settle()
    case .begin(let number): simulation.observers[number].begin()
    case .kill(let number): simulation.observers[number].kill()
    case .fail(let kind, let number): disturb(kind, number, isStep: false)
    case .during(let kind, let number, _): disturb(kind, number, isStep: true)
    case .unknown(let word): mistakes.append("no part of the language: \(word)")
    }
  }

  /// Steps that depend on what is there become several.
  private func step(_ count: Int, _ isInterrupted: Bool) {
    stepsAhead -= count
    while let process = simulation.running.first, process.stepCount > stepsAhead {
      let action = process.nextAction
      simulation.perform(
        action?.own == nil
          ? .step(serial, interrupted: isInterrupted) : .operate(0, process: serial, []))
      if let failure = process.failure, let action {
        mistakes.append("\(simulation.names.text(action)): \(failure)")
      }
    }
  }

  private func finishProgram() {
    if !simulation.running.isEmpty { step(1, false) }
    serial += 1
  }

  private func disturb(_ kind: CallKind, _ number: Int, isStep: Bool) {
    disturbances.append((kind, number, isStep))
    simulation.disturb = { [unowned self] in disturb($0) }
  }

  private func disturb(_ kind: CallKind) -> Disturbance.Kind? {
    for index in disturbances.indices where disturbances[index].call == kind { disturbances[index].number -= 1 }
    guard let due = disturbances.firstIndex(where: { $0.number <= 0 }) else { return nil }
    guard disturbances.remove(at: due).isStep else { return .fault(.ioError) }
    stepsAhead -= 1
    return .step(process: serial, interrupted: false)
  }

  private func settle() {
    finishProgram()
    simulation.perform(.settle(forgets: true))
  }

  /// Lets time pass as on a machine that has nothing else to do.
  private func pass(_ time: Int64) {
    let end = simulation.disk.now + time
    for observer in simulation.observers { observer.deliver(.max) }
    while let next = simulation.observers.compactMap({ $0.nextDeadline?.nanoseconds }).min(), next <= end {
      simulation.disk.pass(max(0, next - simulation.disk.now))
      for observer in simulation.observers {
        observer.advance()
        // Who polls looks when it is time to.
        if simulation.options.source.polls { observer.deliver(.max) }
      }
    }
    simulation.disk.pass(end - simulation.disk.now)
  }
}

// MARK: - Words

extension Scenario {
  /// A change in words; paths are those below the observed folder.
  private func text(_ told: Told) -> String {
    let reason = told.reason.map { "(\($0.rawValue))" } ?? (told.isReturned ? "(returned)" : "")
    let kind = told.kind.rawValue + (told.isCopying ? "(copying)" : "") + reason
    let path = text(told.path)
    switch told.kind {
    case .renamed, .moved: return "\(kind) \(told.previous.map(text) ?? "?") -> \(path)"
    case .duplicated: return "\(kind) \(told.originalPath.map(text) ?? "?") => \(path)"
    default: return "\(kind) \(path)"
    }
  }

  private func text(_ path: Path) -> String {
    simulation.names.text(Path(Array(path.names.dropFirst(simulation.places.tree.names.count))))
  }
}

import FileSystemObservation
import LinuxFileSystem
import ObservationCorpus
import SystemPackage

/// A simulated machine on which a test does one call after the other, and says when the observer takes events and looks.
package final class Scene {
  private let simulation: Simulation
  private let process: Process
  private var program: RecordedProgram
  private var written: [Path] = []

  /// Makes documents, and observes them: when this returns, all of them are known and at rest.
  package init(_ documents: String..., includesHidden: Bool = false) {
    let names = NameTable()
    let simulation = Simulation(options: .alone(includesHidden: includesHidden), names: names)
    self.simulation = simulation
    program = RecordedProgram(names, simulation.places)
    process = Process(Operation(id: 0, title: "test", steps: [], intent: .anything), simulation.disk)
    for document in documents { does("create \(document)", "write \(document)", "close \(document)") }
    simulation.perform(.pass(20_000_000_000))
    simulation.perform(.begin(0, []))
    simulation.perform(.settle(forgets: true))
    written = []
    simulation.observers[0].chronicle = []
    simulation.journal = []
  }

  /// What happened, in words.
  package var journal: [String] { simulation.journal ?? [] }

  deinit {
    simulation.tearDown()
  }

  /// Does what the lines say: an operation as in a recording, a path, and after `=>` another.
  package func does(_ lines: String...) {
    for line in lines {
      guard let operation = Recording.Operation(line) else { return simulation.report(.unrest, "what is \(line)?") }
      written += [operation.path, operation.to].compactMap { $0.map(program.path) }
      for step in program.steps(of: operation) {
        if let errno = process.call(step.action) { simulation.report(.unrest, "\(line): \(errno)") }
        simulation.perform(.pass(2_000))
      }
    }
  }

  /// The observer takes the next events.
  package func takesEvents(_ count: Int = .max) { simulation.perform(.deliver(0, count, [])) }

  /// Time passes, and the observer looks if it is time to.
  package func passes(milliseconds: Int64) {
    simulation.perform(.pass(milliseconds * 1_000_000))
    simulation.perform(.advance(0, []))
  }

  /// Everything is told: what was said, in a few words each, and what is wrong with it.
  package func end() -> [String] {
    let operation = Operation(id: 0, title: "test", steps: [], intent: .anything, writes: written)
    simulation.window.ended.append(Window.Ended(operation: operation, isClear: false, began: simulation.disk.now))
    simulation.perform(.settle(forgets: true))
    let root = simulation.places.tree.names.count
    func text(_ path: Path) -> String { simulation.names.text(Path(Array(path.names.dropFirst(root)))) }
    let said = (simulation.observers[0].chronicle ?? []).map { told in
      let previous = told.previous.map { "\(text($0)) -> " } ?? ""
      return "\(told.kind) \(previous)\(text(told.path))"
    }
    return said + simulation.violations.map { "\($0.rule): \($0.text)" }
  }
}

extension Recording.Operation {
  /// `rename a => b`.
  fileprivate init?(_ line: String) {
    guard let blank = line.firstIndex(of: " "), let kind = Kind(rawValue: String(line[..<blank])) else { return nil }
    let paths = line[line.index(after: blank)...].split(separator: " => ").map(String.init)
    self.init(kind, paths[0], to: paths.count > 1 ? paths[1] : nil)
  }
}

import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport

/// Compares what was said of a recording with what a person would say.
struct Grader {
  private let recording: Recording
  private let observed: ObservedFolder
  private let changes: [Change]
  /// The UUIDs before the first operation, by path.
  private let identities: [String: UUID]
  private(set) var faults: [String] = []

  init(_ recording: Recording, _ observed: ObservedFolder, from mark: Int, identities: [String: UUID]) {
    self.recording = recording
    self.observed = observed
    self.identities = identities
    changes = observed.changes(from: mark)
  }

  /// What is wrong, for a person to read.
  static func faults(
    _ recording: Recording, _ observed: ObservedFolder, from mark: Int, identities: [String: UUID],
    lastWrite: [String: Moment]
  ) -> [String] {
    var grader = Grader(recording, observed, from: mark, identities: identities)
    grader.grade(lastWrite, mark)
    grader.gradeFleetingNames()
    grader.gradeFinishes()
    return grader.faults
  }

  private mutating func grade(_ lastWrite: [String: Moment], _ mark: Int) {
    let truth = recording.truth
    let document = truth.document ?? ""
    let from = truth.from ?? truth.a ?? ""
    let to = truth.to ?? truth.b ?? ""
    switch truth.kind {
    case .modified: gradeModified(document)
    case .newFile: gradeNewFile(document, lastWrite[document], mark)
    case .duplicated, .copied: gradeCopy(from, to)
    case .duplicatedFolder:
      for path in recording.after.keys where path.hasPrefix(from + "/") {
        gradeCopy(path, to + path.dropFirst(from.count))
      }
    case .renamed, .moved: gradeMove(from, to, truth.kind == .renamed ? .renamed : .moved)
    case .movedOver:
      gradeMove(from, to, .moved)
      gradeDeleted(to)
    case .copiedOver, .savedAsOver:
      gradeModified(to)
      gradeUntouched(from)
    case .deleted, .trashed, .movedOut: gradeDeleted(document)
    case .movedIn: expect("one arrival", arrivals(at: document).count == 1)
    case .savedAs:
      gradeArrival(to)
      gradeUntouched(from)
    case .swap: gradeSwap(from, to)
    }
  }
}

// MARK: - What is due

extension Grader {
  private mutating func gradeModified(_ path: String) {
    let said = kinds(of: identities[path])
    expect("modified and nothing else of \(path), but \(said)", !said.isEmpty && Set(said) == [.modified])
    let others = changes.filter { $0.uuid != identities[path] && mentions($0, path) }
    expect("no other item at \(path), but \(others.map(\.kind))", others.isEmpty)
    expectIdentity(path, at: path)
  }

  private mutating func gradeNewFile(_ path: String, _ lastWrite: Moment?, _ mark: Int) {
    gradeArrival(path)
    let finish = observed.recorder.entries[mark...].first { entry in
      entry.changes.contains { $0.kind == .copyFinished && observed.relative($0.path) == path }
    }
    if let finish, let lastWrite { expect("finished after the last write", finish.time >= lastWrite) }
  }

  /// One arrival at the final name, whether from nowhere or from a partial name, finished once.
  private mutating func gradeArrival(_ path: String) {
    expect("one arrival at \(path)", arrivals(at: path).count == 1)
    let finished = changes.filter { $0.kind == .copyFinished }.map { observed.relative($0.path) }
    expect("one finish, at \(path), but \(finished)", finished.filter { recording.after[$0] != nil } == [path])
  }

  private mutating func gradeCopy(_ from: String, _ to: String) {
    gradeUntouched(from)
    guard let uuid = (try? observed.root.tag(to)) ?? nil else { return expect("a tag on \(to)", false) }
    expect("a UUID of its own for \(to)", uuid != identities[from])
    let said = kinds(of: uuid)
    let first: Change.Kind = recording.carriesTag ? .duplicated : .discovered
    expect("\(first) once of \(to), but \(said)", said.filter { $0 == first }.count == 1)
    let isFile = recording.after[to]?.type == "file"
    expect("finished once, but \(said)", said.filter { $0 == .copyFinished }.count == (isFile ? 1 : 0))
    expect("nothing else of \(to), but \(said)", Set(said).isSubset(of: [.discovered, .duplicated, .copyFinished]))
    let original = changes.first { $0.kind == .duplicated && $0.uuid == uuid }?.originalUUID
    if recording.carriesTag { expect("\(from) as the original", original == identities[from]) }
  }

  private mutating func gradeUntouched(_ path: String) {
    let said = kinds(of: identities[path])
    expect("nothing of \(path), but \(said)", said.isEmpty)
    expectIdentity(path, at: path)
  }

  private mutating func gradeMove(_ from: String, _ to: String, _ kind: Change.Kind) {
    let said = changes.filter { $0.uuid == identities[from] }
    expect("\(kind) of \(from), but \(said.map(\.kind))", said.map(\.kind) == [kind])
    expect("the previous path", said.first?.previousPath.map(observed.relative) == from)
    expectIdentity(from, at: to)
  }

  private mutating func gradeDeleted(_ path: String) {
    let said = kinds(of: identities[path])
    expect("deleted of \(path), but \(said)", said == [.deleted])
  }

  private mutating func gradeSwap(_ first: String, _ second: String) {
    let said = changes.filter { [identities[first], identities[second]].contains($0.uuid) }.map(\.kind)
    expect("renames only, but \(said)", Set(said) == [.renamed])
    expectIdentity(first, at: second)
    expectIdentity(second, at: first)
  }

  private mutating func gradeFleetingNames() {
    let names = recording.fleetingNames
    for change in changes {
      for path in [change.path, change.previousPath].compactMap({ $0.map(observed.relative) })
      where names.contains(path) {
        expect("no mention of \(path), but \(change.kind)", false)
      }
    }
  }

  /// Whatever arrives is finished at most once.
  private mutating func gradeFinishes() {
    let finishes = Dictionary(grouping: changes.filter { $0.kind == .copyFinished }, by: \.uuid)
    for (_, list) in finishes where list.count > 1 {
      expect("one finish of \(list.map { observed.relative($0.path) })", false)
    }
  }
}

// MARK: - What was said

extension Grader {
  private func kinds(of uuid: UUID?) -> [Change.Kind] { changes.filter { $0.uuid == uuid }.map(\.kind) }

  private func arrivals(at path: String) -> [Change] {
    changes.filter {
      [.discovered, .duplicated, .renamed, .moved].contains($0.kind) && observed.relative($0.path) == path
    }
  }

  private func mentions(_ change: Change, _ path: String) -> Bool {
    observed.relative(change.path) == path || change.previousPath.map(observed.relative) == path
  }

  private mutating func expectIdentity(_ old: String, at path: String) {
    let tag = (try? observed.root.tag(path)) ?? nil
    expect("the UUID of \(old) on \(path)", tag != nil && tag == identities[old])
  }

  private mutating func expect(_ what: String, _ isSo: Bool) {
    if !isSo { faults.append("due: \(what)") }
  }
}

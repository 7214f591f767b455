import FileSystemObservation
import FoundationEssentials

/// Compares what was said of a recording with what a person would say.
package struct Grader {
  private let recording: Recording
  private let account: Account
  private var faults: [String] = []

  private init(_ recording: Recording, _ account: Account) {
    self.recording = recording
    self.account = account
  }

  /// What is wrong, for a person to read.
  package static func faults(_ recording: Recording, _ account: Account) -> [String] {
    var grader = Grader(recording, account)
    grader.gradeBeginning()
    grader.grade()
    grader.gradeFleetingNames()
    grader.gradeFinishes()
    grader.gradeBystanders()
    return grader.faults
  }

  private mutating func grade() {
    let truth = recording.truth
    let documents = truth.documents ?? [truth.document ?? ""]
    let from = truth.from ?? truth.a ?? ""
    let to = truth.to ?? truth.b ?? ""
    switch truth.kind {
    case .modified: for document in documents { gradeModified(document) }
    case .newFile: for document in documents { gradeArrival(document, among: documents) }
    case .duplicated, .copied: gradeCopy(from, to)
    case .duplicatedFolder:
      for path in recording.after.keys.sorted() where path.hasPrefix(from + "/") {
        gradeCopy(path, to + path.dropFirst(from.count))
      }
    case .renamed, .moved: gradeMove(from, to)
    case .movedOver:
      gradeMove(from, to)
      gradeDeleted(to)
    case .copiedOver, .savedAsOver:
      gradeModified(to)
      gradeUntouched(from)
    case .deleted, .trashed, .movedOut: for document in documents { gradeDeleted(document) }
    case .movedIn: for document in documents { gradeMovedIn(document) }
    case .savedAs:
      gradeArrival(to, among: [to])
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
    let others = sayings.filter { $0.uuid != identities[path] && ($0.path == path || $0.previousPath == path) }
    expect("no other item at \(path), but \(others.map(\.kind))", others.isEmpty)
    expectIdentity(path, at: path)
  }

  /// One arrival at the final name, whether from nowhere or from a partial name, finished once.
  private mutating func gradeArrival(_ path: String, among paths: [String]) {
    let arrivals = arrivals(at: path)
    expect("one arrival at \(path), but \(arrivals.map(\.kind))", arrivals.count == 1)
    let finished = sayings.filter { $0.kind == .copyFinished && $0.path == path }
    expect("one finish of \(path), but \(finished.count)", finished.count == 1)
    let others = sayings.filter { $0.kind == .copyFinished && !paths.contains($0.path) }.map(\.path)
    expect("no finish of \(others)", others.allSatisfy { recording.after[$0] == nil })
    expectFinishAfterLastWrite(path)
  }

  private mutating func gradeCopy(_ from: String, _ to: String) {
    gradeUntouched(from)
    guard let uuid = account.tags[to] else { return expect("a tag on \(to)", false) }
    expect("a UUID of its own for \(to)", uuid != identities[from])
    // While it was copied it may have had a partial name.
    let said = sayings.filter { $0.uuid == uuid && !isFinalName($0, to) }.map(\.kind)
    let first: FileSystemChange.Kind = recording.carriesTag ? .duplicated : .discovered
    expect("\(first) once of \(to), but \(said)", said.filter { $0 == first }.count == 1)
    let isFile = recording.after[to]?.type == "file"
    expect("finished once, but \(said)", said.filter { $0 == .copyFinished }.count == (isFile ? 1 : 0))
    expect("nothing else of \(to), but \(said)", Set(said).isSubset(of: [.discovered, .duplicated, .copyFinished]))
    let original = sayings.first { $0.kind == .duplicated && $0.uuid == uuid }?.original
    if recording.carriesTag { expect("\(from) as the original", original == identities[from]) }
    expectFinishAfterLastWrite(to)
  }

  private mutating func gradeUntouched(_ path: String) {
    let said = kinds(of: identities[path])
    expect("nothing of \(path), but \(said)", said.isEmpty)
    expectIdentity(path, at: path)
  }

  private mutating func gradeMove(_ from: String, _ to: String) {
    let said = sayings.filter { $0.uuid == identities[from] }
    let kind = Self.move(from, to)
    expect("\(kind) of \(from), but \(said.map(\.kind))", said.map(\.kind) == [kind])
    expect("the previous path", said.first?.previousPath == from)
    expectIdentity(from, at: to)
  }

  private mutating func gradeDeleted(_ path: String) {
    let said = kinds(of: identities[path])
    expect("deleted of \(path), but \(said)", said == [.deleted])
  }

  private mutating func gradeMovedIn(_ path: String) {
    gradeArrival(path, among: recording.truth.documents ?? [path])
    guard let brought = recording.operations.last(where: { $0.op == .movein && $0.path == path })?.tag else { return }
    expect("the UUID that \(path) brought", account.tags[path] == brought)
    expect("\(path) told by the UUID it brought", !kinds(of: brought).isEmpty)
  }

  private mutating func gradeSwap(_ first: String, _ second: String) {
    let said = sayings.filter { [identities[first], identities[second]].contains($0.uuid) }.map(\.kind)
    expect("renames only, but \(said)", Set(said) == [Self.move(first, second)])
    expectIdentity(first, at: second)
    expectIdentity(second, at: first)
  }
}

// MARK: - What is due always

extension Grader {
  /// A tag that is there when observation begins is kept.
  private mutating func gradeBeginning() {
    for (path, item) in recording.before {
      if let uuid = item.uuid { expect("the UUID in the tag of \(path)", identities[path] == uuid) }
    }
  }

  private mutating func gradeFleetingNames() {
    let names = recording.fleetingNames
    for saying in sayings {
      for path in [saying.path, saying.previousPath ?? ""] where names.contains(path) {
        expect("no mention of \(path), but \(saying.kind)", false)
      }
    }
  }

  /// Whatever arrives is finished at most once.
  private mutating func gradeFinishes() {
    let finishes = Dictionary(grouping: sayings.filter { $0.kind == .copyFinished }, by: \.uuid)
    for (_, list) in finishes where list.count > 1 {
      expect("one finish of \(list.map(\.path))", false)
    }
  }

  private mutating func gradeBystanders() {
    for path in recording.bystanders where identities[path] != nil { gradeUntouched(path) }
  }
}

// MARK: - What was said

extension Grader {
  private var identities: [String: UUID] { account.identities }
  private var sayings: [Account.Saying] { account.sayings }

  private func kinds(of uuid: UUID?) -> [FileSystemChange.Kind] { sayings.filter { $0.uuid == uuid }.map(\.kind) }

  private func arrivals(at path: String) -> [Account.Saying] {
    sayings.filter { [.discovered, .duplicated, .renamed, .moved].contains($0.kind) && $0.path == path }
  }

  /// Whether a file got its final name, and was announced before.
  private func isFinalName(_ saying: Account.Saying, _ path: String) -> Bool {
    guard let previous = saying.previousPath, saying.path == path else { return false }
    return recording.before[previous] == nil && recording.after[previous] == nil
  }

  /// What is said of a file that has another path.
  private static func move(_ from: String, _ to: String) -> FileSystemChange.Kind {
    Recording.parent(of: from) == Recording.parent(of: to) ? .renamed : .moved
  }

  private mutating func expectIdentity(_ old: String, at path: String) {
    let tag = account.tags[path]
    expect("the UUID of \(old) on \(path)", tag != nil && tag == identities[old])
  }

  private mutating func expectFinishAfterLastWrite(_ path: String) {
    guard let finish = sayings.last(where: { $0.kind == .copyFinished && $0.path == path }),
      let lastWrite = account.lastWrites[path]
    else { return }
    expect("finished after the last write of \(path)", finish.time >= lastWrite)
  }

  private mutating func expect(_ what: String, _ isSo: Bool) {
    if !isSo { faults.append("due: \(what)") }
  }
}

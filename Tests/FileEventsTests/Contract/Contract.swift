import FileTestSupport
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// A source at work: the folders `a` and `b` are marked, `outside` is not.
final class Contract {
  let kind: ContractSource
  let source: any EventSource<DirectoryHandle>
  let folder: ScratchFolder
  let collector: HintCollector
  private(set) var a = MarkID(rawValue: 0)
  private(set) var b = MarkID(rawValue: 0)

  /// - Parameter files: Paths of files that exist before anything is marked.
  init(_ kind: ContractSource, files: [String] = [], for scope: MarkScope = .entries) throws {
    self.kind = kind
    source = try kind.make()
    folder = try ScratchFolder()
    collector = try HintCollector()
    for name in ["a", "b", "outside"] { try makeFolder(name) }
    for name in files { try write(name) }
    try start()
    a = try mark("a", for: scope)
    b = try mark("b", for: scope)
    _ = try hints()
  }

  deinit {
    source.stop()
  }

  func start() throws {
    let collector = collector
    try source.start { collector.deliver($0) }
  }

  func open(_ name: String) throws -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path(name), for: kind.polls ? .list : .search))
  }

  func mark(_ name: String, for scope: MarkScope = .entries) throws -> MarkID {
    try source.mark(open(name), for: scope)
  }

  func write(_ name: String, _ bytes: [UInt8] = []) throws { try PlainFiles.write(bytes, to: folder.path(name)) }

  func makeFolder(_ name: String) throws { try PlainFiles.makeFolder(at: folder.path(name)) }

  func rename(_ name: String, to other: String) throws {
    try PlainFiles.rename(folder.path(name), to: folder.path(other))
  }

  /// Waits until the source has delivered hints of everything that happened before the call.
  func awaitBarrier() throws {
    let moment = MonotonicTime.now
    let deadline = moment + 20_000_000_000
    while true {
      source.deliverPending()
      if let horizon = source.horizon(since: moment), source.delivered >= horizon { return }
      try #require(MonotonicTime.now < deadline, "the source never knew that it had told everything")
      collector.wait(nanoseconds: 1_000_000)
    }
  }

  /// The hints of everything that happened since the last call.
  func hints() throws -> Hints {
    try awaitBarrier()
    return Hints(kind: kind, all: collector.takeAll())
  }
}

/// Hints, and what they say of a name.
struct Hints {
  let kind: ContractSource
  let all: [Hint]

  /// Hints at names; of a directory itself, a mount that another test makes may be a reason.
  var named: [Hint] { all.filter { $0.name != nil } }

  func at(_ name: String, in mark: MarkID) -> [Hint] {
    all.filter { $0.directory == mark && $0.name == FileName(name) }
  }

  /// Whether the source hints at a name; with these kinds, unless it polls.
  func say(_ kinds: HintKinds, of name: String, in mark: MarkID) -> Bool {
    let found = at(name, in: mark)
    if kind.polls { return !found.isEmpty && found.allSatisfy { $0.traits.contains(.unordered) } }
    return found.reduce(into: HintKinds()) { $0.formUnion($1.kinds) }.isSuperset(of: kinds)
  }

  /// Whether the source hints at both ends of a rename, which one cookie joins unless the source polls.
  func sayRenamed(_ old: String, in oldMark: MarkID, to new: String, in newMark: MarkID) -> Bool {
    guard say(.movedFrom, of: old, in: oldMark), say(.movedTo, of: new, in: newMark) else { return false }
    if kind.polls { return true }
    let cookies = at(old, in: oldMark).filter { $0.kinds.contains(.movedFrom) }.map(\.cookie)
    return at(new, in: newMark).contains { hint in
      hint.kinds.contains(.movedTo) && hint.cookie != 0 && cookies.contains(hint.cookie)
    }
  }
}

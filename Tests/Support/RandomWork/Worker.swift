import FileTestSupport
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The border of the tree.
final class Border: Sendable {
  private let lock = ReadWriteLock()
  private let lastCopy = Mutex(Moment(nanoseconds: 0))

  private let lastReturn = Mutex(Moment(nanoseconds: 0))

  func noteCopy() { lastCopy.withLock { $0 = .now } }

  /// Whether a folder came back so recently that the tags in it may not have been read.
  var isUnsettled: Bool { lastReturn.withLock { $0 } + .seconds(2) > .now }

  /// Runs `body` while no other thread works in the tree.
  ///
  /// It waits until the last copy is old enough: sooner, a copy would look like the original, moved.
  func crossing<Value>(_ body: () throws -> Value) rethrows -> Value {
    try lock.writing {
      (lastCopy.withLock { $0 } + .seconds(3)).sleep()
      defer { lastReturn.withLock { $0 = .now } }
      return try body()
    }
  }

  func inside<Value>(_ body: () throws -> Value) rethrows -> Value { try lock.reading(body) }
}

/// One thread's random operations on its own documents, in folders that all threads share.
struct Worker {
  let number: Int
  let tree: FolderTree
  let outside: Folder
  /// Taking a folder out excludes all other work: a document that is saved outside would lose its tag.
  let border: Border
  /// How long a document rests after its inode was replaced.
  let rest: Duration
  let start: Moment
  var random: SplitMix64
  var documents: [Document]
  /// Names of this thread's other files, by folder.
  var scratch: Set<Place> = []
  /// Backups that documents have left behind, and until when they must rest, too.
  var backups: [Place: Moment] = [:]
  /// Names that documents have just left: a file that takes such a name could be the next version.
  var vacated: [Place: Moment] = [:]
  var serial = 0

  struct Place: Hashable {
    var folder: Int
    var name: String
  }

  /// Performs random operations, with pauses of random length.
  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      releaseBackups()
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60: try border.inside { try documentStep() }
      case 60..<85: try border.inside { try scratchStep() }
      default: try folderStep()
      }
      pause()
    }
  }

  /// Turns old backups into ordinary files: no operation may move a backup while its document is being saved.
  private mutating func releaseBackups() {
    for (place, time) in backups where time < .now {
      backups[place] = nil
      scratch.insert(place)
    }
    vacated = vacated.filter { $0.value > .now }
  }

  /// Most operations follow at once; some fall into a time window, and some come after all windows.
  private mutating func pause() {
    let milliseconds =
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60: 0
      case 60..<90: Int.random(in: 1...40, using: &random)
      case 90..<97: Int.random(in: 100...800, using: &random)
      default: 1500
      }
    if milliseconds > 0 { (Moment.now + .milliseconds(milliseconds)).sleep() }
  }

  /// A name of this thread that is free in a folder.
  mutating func freeName(in folder: Int) -> String {
    while true {
      let letter = Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &random)))
      let name = "t\(number)-\(letter).txt"
      if !isTaken(name, in: folder) { return name }
    }
  }

  private func isTaken(_ name: String, in folder: Int) -> Bool {
    let place = Place(folder: folder, name: name)
    return scratch.contains(place) || backups[place] != nil || vacated[place] != nil
      || documents.contains { $0.folder == folder && ($0.name == name || $0.link == name) }
  }

  mutating func nextSerial() -> Int {
    serial += 1
    return serial
  }

  mutating func anyFolder() -> Int { Int.random(in: 0..<tree.count, using: &random) }

  mutating func note(_ index: Int, _ what: String) {
    let time = (Moment.now - start).seconds
    documents[index].history.append("\(Int(time * 1000)) ms: \(what)")
  }
}

// MARK: - Documents

extension Worker {
  private mutating func documentStep() throws {
    let index = Int.random(in: documents.indices, using: &random)
    if let rest = documents[index].restsUntil, Moment.now < rest { return }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<15: try rename(index, to: documents[index].folder)
    case 15..<30: try rename(index, to: anyFolder())
    case 30..<36: try exchange(index)
    case 36..<42: try linkOrUnlink(index)
    case 42..<50: try duplicate(index)
    case 50..<56: try goOutAndIn(index)
    default: try save(index)
    }
  }

  private mutating func rename(_ index: Int, to folder: Int) throws {
    let document = documents[index]
    // The second link stays behind, and is not tracked.
    if document.link != nil && folder != document.folder { return }
    let name = freeName(in: folder)
    note(index, "rename \(document.name) to \(name) in \(tree.path(of: folder))")
    try tree[document.folder].rename(document.name, tree[folder][name])
    noteVacated(document)
    documents[index].folder = folder
    documents[index].name = name
  }

  private mutating func noteVacated(_ document: Document) {
    vacated[Place(folder: document.folder, name: document.name)] = .now + .seconds(3)
  }

  private mutating func exchange(_ index: Int) throws {
    let other = Int.random(in: documents.indices, using: &random)
    if !Ability.exchange.isPossible || other == index || documents[index].link != nil || documents[other].link != nil {
      return
    }
    if let rest = documents[other].restsUntil, Moment.now < rest { return }
    let (first, second) = (documents[index], documents[other])
    note(index, "exchange \(first.name) with \(second.name) in \(tree.path(of: second.folder))")
    note(other, "exchange \(second.name) with \(first.name) in \(tree.path(of: first.folder))")
    try tree[first.folder].exchange(first.name, tree[second.folder][second.name])
    (documents[index].folder, documents[index].name) = (second.folder, second.name)
    (documents[other].folder, documents[other].name) = (first.folder, first.name)
  }

  private mutating func linkOrUnlink(_ index: Int) throws {
    let document = documents[index]
    let folder = tree[document.folder]
    if let link = document.link {
      note(index, "unlink \(link)")
      try folder.unlink(link)
      vacated[Place(folder: document.folder, name: link)] = .now + .seconds(3)
      documents[index].link = nil
    } else if try Ability.hardLinks.isPossible && folder.tag(document.name) == document.uuid {
      let name = freeName(in: document.folder)
      note(index, "link \(document.name) to \(name)")
      try folder.link(document.name, name)
      documents[index].link = name
    }
  }

  /// Copies a document with its tag; the copy gets an identity of its own.
  private mutating func duplicate(_ index: Int) throws {
    let document = documents[index]
    let folder = anyFolder()
    let name = freeName(in: folder)
    note(index, "copy \(document.name) to \(name) in \(tree.path(of: folder))")
    try Command.run("cp", "-a", tree[document.folder][document.name], tree[folder][name])
    scratch.insert(Place(folder: folder, name: name))
    documents[index].staysUntil = .now + .seconds(3)
    border.noteCopy()
  }

  /// Moves a document out and in; only its tag identifies it then, and must have been written.
  private mutating func goOutAndIn(_ index: Int) throws {
    let document = documents[index]
    let folder = anyFolder()
    let name = freeName(in: folder)
    guard document.link == nil, document.staysUntil < .now,
      try tree[document.folder].tag(document.name) == document.uuid
    else { return }
    note(index, "take \(document.name) out")
    try tree[document.folder].rename(document.name, outside["\(number)-\(document.name)"])
    noteVacated(document)
    pause()
    note(index, "bring it in as \(name) in \(tree.path(of: folder))")
    try tree[folder].rename(outside["\(number)-\(document.name)"], name)
    documents[index].folder = folder
    documents[index].name = name
    documents[index].wasOutside = true
    // The observer must have read its tag before its inode is replaced.
    documents[index].restsUntil = .now + .seconds(2)
  }
}

import FileIdentity
import LinuxFileSystem

@testable import FileSystemObservation

// What the engine does when it is asked, on the disk of a script.

extension ScriptedClassifier {
  mutating func answer(_ request: Request) {
    switch request {
    case .look(let question): look(for: question)
    case .lookAt(let id): if classifier.graph.isLive(id) { look(at: classifier.graph.place(id), .check) }
    case .verify(let entries, let question):
      if verify(entries) { look(for: question, isVerified: true) } else { postpone(question) }
    case .readContent(let place, let entry): read(place, entry)
    case .examine(let id): examine(id)
    case .writeTag(let id, let claiming), .writeTagInTime(let id, let claiming): writeTag(id, claiming)
    case .restoreTag(let id): writeTag(id, false)
    case .scan(let id), .scanAnew(let id): scan(id)
    case .awaitCopies(let id): _ = classifier.awaitCopies(in: id)
    case .moved, .forget: break
    case .reportLoop(let place): note("a loop at \(place)")
    }
  }

  private mutating func look(for question: Question, isVerified: Bool = false) {
    switch question {
    case .place(let place, let reason): look(at: place, reason, isVerified: isVerified)
    case .arrival(let place):
      finish(place, probeWriters: !isVerified || classifier.mustProbeWriters(at: place), isVerified: isVerified)
    case .writing(let id): checkWriting(id, probeWriters: classifier.mustProbeWriters(of: id), isVerified: isVerified)
    }
  }

  private mutating func postpone(_ question: Question) {
    switch question {
    case .place: break
    case .arrival(let place): classifier.finishLater(place)
    case .writing(let id): classifier.settleWritingLater(id)
    }
  }

  private mutating func verify(_ entries: [NodeID]) -> Bool {
    for id in entries {
      let (place, elsewhere) = classifier.places(of: id)
      if let current = elsewhere ?? place { look(at: current, .check) }
    }
    return !classifier.mustLookFurther(than: entries)
  }

  private func writers(_ place: Place) -> WriterProbe {
    let inode = disk.number(at: onDisk(place)).flatMap { disk[$0] }
    return inode?.isBeingWritten == true ? .beingWritten : .nobodyWrites
  }

  private mutating func finish(_ place: Place, probeWriters: Bool, isVerified: Bool = false) {
    guard classifier.graph.isLive(place.parent) else { return }
    guard isDecided(place) else { return classifier.finishLater(place) }
    classifier.finish(place, entry(at: place), probeWriters ? writers(place) : nil, isVerified: isVerified)
  }

  private mutating func checkWriting(_ id: NodeID, probeWriters: Bool, isVerified: Bool = false) {
    guard classifier.graph.isLive(id) else { return }
    let place = classifier.graph.place(id)
    guard isDecided(place) else { return classifier.settleWritingLater(id) }
    classifier.settleWriting(id, entry(at: place), probeWriters ? writers(place) : nil, isVerified: isVerified)
  }

  private mutating func read(_ place: Place, _ entry: Entry) {
    let question = ContentQuestion(
      id: nil, name: place.name, key: entry.key, size: entry.size, modified: entry.modified)
    if answersContents { classifier.take(answer(to: question, at: place)) }
  }

  private func answer(to question: ContentQuestion, at place: Place) -> ContentAnswer {
    let content = disk.number(at: onDisk(place)).flatMap { disk[$0]?.content }
    let outcome = content.map { ContentAnswer.Outcome.digest(ContentDigest(words: ($0, 0, 0, 0))) }
    return ContentAnswer(question: question, outcome: outcome ?? .unreadable)
  }

  /// Reads the contents of all announced files, as an engine does when nothing happens.
  mutating func readContents() {
    let graph = classifier.graph
    for id in classifier.unreadFiles(among: graph.storage.liveIDs, atMost: .max).files {
      let content = graph.content(of: id)
      let question = ContentQuestion(
        id: id, name: graph.name(id), key: graph.key(id), size: content.size, modified: content.modified)
      classifier.take(answer(to: question, at: graph.place(id)))
    }
  }

  private mutating func examine(_ id: NodeID) {
    let (place, elsewhere) = classifier.places(of: id)
    guard let place, let known = classifier.unresolved[id] else { return }
    let isFound = [place, elsewhere].compactMap { $0 }.allSatisfy { isDecided($0) }
    guard isFound else { return classifier.examineLater(id) }
    let stillExists = disk[classifier.graph.key(id).inode]?.kind == .directory
    if known.believedLocation == .unknown, stillExists { classifier.unresolved[id]?.leftByRename = true }
    classifier.resolve(id, here: entry(at: place), elsewhere: elsewhere.flatMap { entry(at: $0) })
  }

  private mutating func writeTag(_ id: NodeID, _ isClaiming: Bool) {
    guard classifier.graph.isLive(id), classifier.unresolved[id] == nil else { return }
    let (place, key) = (classifier.graph.place(id), classifier.graph.key(id))
    guard let entry = entry(at: place), entry.key == key, !isClaiming || entry.tag == .none else {
      return look(at: place, .check)
    }
    let uuid = classifier.graph[id].uuid
    disk.change(onDisk(place)) { $0.tag = .uuid(uuid) }
    classifier.noteTagWritten(id, key, true)
  }

  private mutating func scan(_ id: NodeID) {
    guard classifier.graph.isLive(id) else { return }
    let names = disk.names(in: classifier.graph.key(id).inode)
    for name in names { look(at: Place(parent: id, name: FileName(name)), .scan) }
    for child in classifier.graph.storage.children(of: id) where classifier.unresolved[child] == nil {
      if !names.contains(classifier.graph.name(child).description) { look(at: classifier.graph.place(child), .scan) }
    }
  }
}

// MARK: - Words

extension ScriptedClassifier {
  func text(_ request: Request) -> String {
    switch request {
    case .look(let question), .verify(_, let question): text(question)
    case .lookAt(let id): "look \(path(id))"
    case .readContent(let place, _): "read \(path(place))"
    case .examine(let id): "examine \(path(id))"
    case .writeTag(let id, _), .writeTagInTime(let id, _): "tag \(path(id))"
    case .restoreTag(let id): "restore \(path(id))"
    case .scan(let id), .scanAnew(let id): "scan \(path(id))"
    case .moved(let id): "moved \(path(id))"
    case .awaitCopies(let id): "copies \(path(id))"
    case .forget(let id): "forget \(path(id))"
    case .reportLoop(let place): "loop \(path(place))"
    }
  }

  private func text(_ question: Question) -> String {
    switch question {
    case .place(let place, _): "look \(path(place))"
    case .arrival(let place): "finish \(path(place))"
    case .writing(let id): "check \(path(id))"
    }
  }

  private func path(_ id: NodeID) -> String { classifier.graph.isLive(id) ? path(classifier.graph.place(id)) : "?" }

  private func path(_ place: Place) -> String {
    guard classifier.graph.isLive(place.parent) else { return "?" }
    var bytes: [UInt8] = []
    classifier.graph.storage.appendPath(of: place.parent, to: &bytes)
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "/")) }
    return String(decoding: bytes + place.name.bytes, as: UTF8.self)
  }
}

import FileEvents
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

// What an observer does for its app.

extension Observer {
  /// Has a system call take effect between two steps of the engine; without an engine, it is only made.
  ///
  /// - Parameter isUndisturbed: Whether nobody has done anything meanwhile, and no call has failed.
  func operate(_ own: OwnAction, asked isUndisturbed: () -> Bool, _ call: () throws(Errno) -> Void) {
    guard let engine else { return (try? call()) ?? () }
    simulation.enter(number)
    note("operates")
    let told = told.count
    let before = standing(own)
    // Of two names of one file, rename(2) leaves both.
    var isDone = !isSameFile(own.source, own.destination)
    do throws(Errno) {
      try engine.perform(
        OwnOperation(
          from: place(own.source), to: place(own.destination), isMaking: own.isMaking, isReplacing: isReplacing(own),
          reason: own.reason),
        clock: { simulation.moment }, handleAll: { catchUp(engine) }
      ) { () throws(Errno) in
        try call()
        let key = own.isMaking ? own.destination.flatMap { disk.find($0)?.key } : nil
        simulation.interlude(.commit)
        return CommittedItem(key: key)
      }
    } catch {
      isDone = false
    }
    joiners.turn(engine)
    if isDone, isUndisturbed() { checkTold(own, before, self.told[told...]) }
  }

  private func isReplacing(_ own: OwnAction) -> Bool {
    own.isMaking && own.destination.map { disk.find($0) != nil } ?? false
  }

  private func isSameFile(_ one: Path?, _ other: Path?) -> Bool {
    guard let file = one.flatMap({ disk.find($0) }) else { return false }
    return file === other.flatMap { disk.find($0) }
  }

  private func catchUp(_ engine: SimulatedEngine) {
    source.deliverPending()
    while source.pendingCount > 0 { handle(source.read(upTo: .max), engine) }
  }

  private func place(_ path: Path?) -> OperationPlace? {
    let tree = simulation.places.tree
    guard let path, path.isInside(tree), path != tree else { return nil }
    return OperationPlace(
      path.names.dropFirst(tree.names.count).map { simulation.names.name($0) }, in: disk.find(path.parent)?.key)
  }

  /// Checks that what an operation has changed is announced at once, as its own.
  ///
  /// What nobody knew of leaves and is replaced without a word. Of a file with several names, the others are looked for
  /// first, and of one whose tag another file has, that one: it may be where the document went. What other programs do
  /// to the same items at the same time may have to be decided first, too.
  private func checkTold(_ own: OwnAction, _ before: (source: Bool, isDoubtful: Bool), _ told: ArraySlice<Told>) {
    guard !isTorn, !simulation.window.isTorn, !before.isDoubtful, isAlone(own) else { return }
    if let source = own.source, before.source, replay.node(at: source) != nil, disk.find(source) == nil {
      complain(source, "left")
    }
    guard let destination = own.destination, isVisible(destination) else {
      if let source = own.source, before.source, !told.contains(where: { $0.isOwn && $0.formerPath == source }) {
        complain(source, "left by the app's wish")
      }
      return
    }
    // What nobody knew of may still be written by another program.
    if own.source != nil, !before.source { return }
    if !told.contains(where: { $0.isOwn && $0.path == destination }) { complain(destination, "arrived") }
  }

  /// Whether no other program has worked on the items of an operation since the last quiet point.
  private func isAlone(_ own: OwnAction) -> Bool {
    let paths = simulation.window.extended(formerPaths([own.source, own.destination].compactMap(\.self)))
    let ended = simulation.window.ended.filter { !$0.operation.isOwn || !$0.isClear }.map(\.operation)
    let running = simulation.running.filter { !$0.operation.isOwn || $0.isBypassing }.map(\.operation)
    // Who looks now and then does not know what others have done to the folders above.
    if simulation.options.source.isLimited || simulation.options.source.polls { return (ended + running).isEmpty }
    return !(ended + running).contains { Window.conflict($0.reads + $0.writes, paths) }
  }

  /// The paths, and those from which operations have moved what is there since the last quiet point.
  private func formerPaths(_ paths: [Path]) -> [Path] {
    let moves = simulation.window.ended.flatMap(\.operation.steps).compactMap(\.action.own)
    return moves.reversed().reduce(paths) { paths, move in
      guard let source = move.source, let destination = move.destination else { return paths }
      let moved = paths.filter { $0.isInside(destination) }
      return paths + moved.map { $0.moved(from: destination, to: source) }
    }
  }

  private func complain(_ path: Path, _ what: String) {
    let text = "an item at \(simulation.names.text(path)) has \(what), and that is not announced at once"
    simulation.report(.saying, text, subject: "own operation")
  }

  private func isVisible(_ path: Path) -> Bool {
    path.names.dropFirst(simulation.places.tree.names.count).allSatisfy { simulation.isVisible($0) }
  }

  /// What is known of an operation's item before the operation.
  private func standing(_ own: OwnAction) -> (source: Bool, isDoubtful: Bool) {
    let inodes = [own.source, own.destination].compactMap { $0.flatMap { disk.find($0) } }
    let hasLinks = inodes.contains { $0.kind != .directory && $0.linkCount > 1 }
    let source = own.source.flatMap { replay.node(at: $0) }
    let isCopied = source.map { disk.sharedTags().contains($0.uuid) } ?? false
    let replacesUnknown = own.destination.map { disk.find($0) != nil && replay.node(at: $0) == nil } ?? false
    return (source != nil, hasLinks || isCopied || replacesUnknown)
  }
}

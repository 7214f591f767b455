package import LinuxFileSystem

/// Turns events of fanotify into hints.
package struct FanotifyTranslator: EventTranslator {
  /// The observed directories.
  package var directories = MarkedDirectories()
  private var history = NameHistory()
  private var lastCookie: UInt32 = 0
  /// The limit of remembered names while the queue is not empty; beyond it, the order of events is as good as lost.
  private static let historyLimit = 262_144

  package init() {}

  func isNew(_ mount: MountNumber) -> Bool { directories.isNew(mount) }

  package mutating func takeUnmounted(_ table: MountTable) -> [MarkID] { directories.takeUnmounted(table) }

  package mutating func forget(_ mark: MarkID) { directories.remove(mark) }

  /// The queue was empty.
  package mutating func queueWasEmpty() {
    history.forget()
  }

  /// The kernel has dropped events, so that names may have changed without a report.
  package mutating func eventsWereLost() {
    history.forget()
  }

  /// Appends the hints of one event, and merges a hint that adds nothing new.
  package mutating func append(_ event: FanotifyEvent, to batch: inout HintBatch) {
    if unsafe event.mask.contains(.queueOverflow) || history.count > Self.historyLimit {
      batch.noteLoss()
      history.forget()
    }
    if unsafe event.mask.contains(.rename) {
      unsafe appendRename(event, to: &batch)
    } else if let place = unsafe event.place {
      unsafe appendChange(event, at: place, to: &batch)
    }
  }

  /// Appends the hints of an event of one name.
  private mutating func appendChange(
    _ event: FanotifyEvent, at place: FanotifyEvent.Place, to batch: inout HintBatch
  ) {
    guard let directory = unsafe directories[place.directory.handle] else {
      if unsafe place.isItself && event.mask.contains(.attribute) {
        unsafe directories.noteChange(ofUnknown: place.directory.handle)
      }
      return unsafe appendRemoval(of: event, to: &batch)
    }
    if unsafe place.isItself { return unsafe appendSelf(event, directory, to: &batch) }
    if unsafe place.isNameless { return unsafe appendUnnamed(event, directory, to: &batch) }
    guard directory.scope.observesEntries else { return unsafe appendRemoval(of: event, to: &batch) }
    let unwanted: FanotifyMask = directory.scope == .entries ? [] : .attribute
    let kinds = unsafe HintKinds(event.mask.subtracting(unwanted))
    let names: HintKinds = [.created, .removed]
    let file = unsafe event.file.map { directories.file($0) }
    if kinds.isDisjoint(with: names) {
      unsafe appendContent(kinds, event, place, file, directory, to: &batch)
    } else {
      unsafe appendNames(kinds, place, file, directory, to: &batch)
    }
  }

  /// Appends a hint for an event without the entry's name: only a listing finds the entry.
  private func appendUnnamed(
    _ event: FanotifyEvent, _ directory: MarkedDirectories.Item, to batch: inout HintBatch
  ) {
    let isOwnTag = unsafe event.isOwn && event.mask.subtracting(.onDirectory) == .attribute
    let hint = Hint(directory: directory.mark, kinds: .markAgain)
    if !isOwnTag, directory.scope.observesEntries, batch.hints.last != hint { batch.hints.append(hint) }
  }

  /// Appends changes of content and attributes; the probe sees their result.
  private func appendContent(
    _ kinds: HintKinds, _ event: FanotifyEvent, _ place: FanotifyEvent.Place, _ file: HintedFile?,
    _ directory: MarkedDirectories.Item, to batch: inout HintBatch
  ) {
    if kinds.subtracting(.directory).isEmpty { return }
    // Merged with another change, it is not only our tag.
    let isOwnTag = unsafe event.isOwn && kinds.subtracting(.directory) == .attributes
    let traits: HintTraits = isOwnTag ? .own : []
    if unsafe batch.extendLast(directory.mark, kinds, traits, place.name, file) { return }
    unsafe batch.hints.append(
      Hint(directory: directory.mark, kinds: kinds, traits: traits, name: FileName(bytes: place.name), file: file))
  }

  /// Appends a name that was created or removed, or both in an unknown order, and perhaps written.
  private mutating func appendNames(
    _ kinds: HintKinds, _ place: FanotifyEvent.Place, _ file: HintedFile?, _ directory: MarkedDirectories.Item,
    to batch: inout HintBatch
  ) {
    let name = unsafe FileName(bytes: place.name)
    let named = unsafe NamedPlace(mark: directory.mark, name: name, key: place.directory.handle.place(place.name))
    var verdict = NameHistory.Verdict(isUnordered: file == nil)
    if let file, kinds.contains(.created) { verdict = history.create(file.handle, at: named) }
    if let file, kinds.contains(.removed) {
      let removal = history.remove(file.handle, from: named)
      verdict.isUnordered = verdict.isUnordered || removal.isUnordered
      verdict.mustLookAtOrigin = removal.mustLookAtOrigin
    }
    var hint = Hint(directory: directory.mark, kinds: kinds, traits: verdict.traits, name: name, file: file)
    hint.kinds.remove(.removed)
    if !hint.kinds.subtracting(.directory).isEmpty { batch.hints.append(hint) }
    if kinds.contains(.removed) {
      // A write before the removal belongs to the removed file; a write after it has no name.
      hint.kinds = kinds.intersection([.removed, .directory])
      batch.hints.append(hint)
    }
    appendLooks(of: file, to: &batch)
  }

  /// Appends both halves of a rename: the kernel has one record of it, the engine expects two hints.
  private mutating func appendRename(_ event: FanotifyEvent, to batch: inout HintBatch) {
    let from = unsafe event.old.flatMap { unsafe observed($0) }
    let to = unsafe event.new.flatMap { unsafe observed($0) }
    guard from != nil || to != nil else {
      unsafe appendReplacement(of: event, to: &batch)
      return unsafe appendMove(of: event, to: &batch)
    }
    let file = unsafe event.file.map { directories.file($0) }
    var verdict = NameHistory.Verdict(isUnordered: true)
    if let file { verdict = history.rename(file.handle, from: from, to: to) }
    lastCookie = lastCookie == .max ? 1 : lastCookie + 1
    let kinds = unsafe HintKinds(event.mask.intersection(.onDirectory))
    for (place, half) in [(from, HintKinds.movedFrom), (to, .movedTo)] {
      guard let place else { continue }
      let traits = half == .movedFrom ? verdict.traits : verdict.traits.subtracting(.look)
      batch.hints.append(
        Hint(
          directory: place.mark, kinds: kinds.union(half), traits: traits, cookie: lastCookie, name: place.name,
          file: file))
    }
    appendLooks(of: file, to: &batch)
  }

  private func observed(_ place: FanotifyEvent.Place) -> NamedPlace? {
    guard let directory = unsafe directories[place.directory.handle], directory.scope.observesEntries else {
      return nil
    }
    return unsafe NamedPlace(
      mark: directory.mark, name: FileName(bytes: place.name), key: place.directory.handle.place(place.name))
  }

  /// Appends the other names of a file that has proved to be ambiguous.
  private mutating func appendLooks(of file: HintedFile?, to batch: inout HintBatch) {
    for place in history.takeLooks() {
      batch.hints.append(
        Hint(directory: place.mark, kinds: [], traits: [.unordered, .look], name: place.name, file: file))
    }
  }
}

// MARK: - Marked directories themselves

extension FanotifyTranslator {
  private func appendSelf(
    _ event: FanotifyEvent, _ directory: MarkedDirectories.Item, to batch: inout HintBatch
  ) {
    var kinds: HintKinds = []
    if unsafe event.mask.contains(.deleteSelf) { kinds.insert(.selfRemoved) }
    if unsafe event.mask.contains(.moveSelf) { kinds.insert(.selfMoved) }
    if unsafe event.mask.contains(.attribute), directory.scope == .entries {
      kinds.formUnion([.attributes, .directory])
    }
    if kinds.isEmpty { return }
    let isOwnTag = unsafe event.isOwn && kinds == [.attributes, .directory]
    batch.hints.append(Hint(directory: directory.mark, kinds: kinds, traits: isOwnTag ? .own : []))
  }

  /// Appends the removal of a directory from an unobserved one: it may be the observed directory itself.
  private func appendRemoval(of event: FanotifyEvent, to batch: inout HintBatch) {
    guard unsafe event.mask.isSuperset(of: [.delete, .onDirectory]) else { return }
    unsafe append(.selfRemoved, of: event, to: &batch)
  }

  /// Appends the rename of a directory in an unobserved one: it may be the observed directory, or one above it.
  private func appendMove(of event: FanotifyEvent, to batch: inout HintBatch) {
    unsafe append(.selfMoved, of: event, to: &batch)
  }

  private func append(_ kind: HintKinds, of event: FanotifyEvent, to batch: inout HintBatch) {
    guard let file = unsafe event.file, let directory = directories[file.handle] else { return }
    batch.hints.append(Hint(directory: directory.mark, kinds: kind))
  }

  /// Appends a rename in the parent of the observed directory: it may have replaced the observed directory.
  private func appendReplacement(of event: FanotifyEvent, to batch: inout HintBatch) {
    guard unsafe event.mask.contains(.onDirectory), let place = unsafe event.new,
      let directory = unsafe directories[place.directory.handle], directory.scope == .departures
    else { return }
    unsafe batch.hints.append(
      Hint(directory: directory.mark, kinds: [.movedTo, .directory], name: FileName(bytes: place.name)))
  }
}

extension NameHistory.Verdict {
  fileprivate var traits: HintTraits {
    var traits: HintTraits = []
    if isUnordered { traits.insert(.unordered) }
    if mustLookAtOrigin { traits.insert(.look) }
    return traits
  }
}

extension HintKinds {
  private static let meanings: [(bit: FanotifyMask, kind: HintKinds)] = [
    (.create, .created), (.delete, .removed), (.modify, .written), (.closeWrite, .closed), (.attribute, .attributes),
    (.onDirectory, .directory),
  ]

  /// Appends the hints of an event of one name.
  fileprivate init(_ mask: FanotifyMask) {
    self = []
    for meaning in Self.meanings where mask.contains(meaning.bit) { formUnion(meaning.kind) }
  }
}

import Dispatch
import FileSystemObservation
import Foundation
import Synchronization

/// By what listeners are told.
enum ListenerKind: String, CaseIterable, Sendable {
  case blocks, sequences
  /// Queues from which everything is taken when all of it has happened: what it costs to take changes.
  case backlog
}

/// So many listeners of one kind.
struct Crowd {
  let kind: ListenerKind
  let count: Int

  init(_ kind: ListenerKind, _ count: Int) {
    self.kind = kind
    self.count = count
  }

  var title: String { "\(count) by \(kind.rawValue)" }

  /// How long it took until all of them were told of all changes, and in how many change sets the first was.
  func measure(_ changes: Int, in base: Folder) throws -> (Duration, sets: Int) {
    kind == .backlog ? try measureBacklog(changes, in: base) : try measureListening(changes, in: base)
  }

  private func measureBacklog(_ changes: Int, in base: Folder) throws -> (Duration, sets: Int) {
    try base.mkdir("crowd")
    let folder = base.appending("crowd")
    defer { folder.remove() }
    for number in 0..<changes { try folder.write("\(number)", "") }
    var configuration = FileSystemObserver.Configuration(directory: URL(filePath: folder.path))
    configuration.warnsWithoutListeners = false
    let observer = FileSystemObserver(configuration)
    try observer.start()
    defer { observer.stop() }
    waitUntilAnnounced(by: observer)
    let limit = max(FileSystemObserver.defaultBufferLimit, 2 * changes)
    let queues = try (0..<count).map { _ in try observer.makeEventQueue(startingWith: .now, bufferLimit: limit) }
    for number in 0..<changes { try folder.rename("\(number)", "\(number).new") }
    waitUntilAnnounced(by: observer)
    let start = Moment.now
    let sets = queues.map { take(changes, from: $0) }
    return (Moment.now - start, sets.first ?? 0)
  }

  private func waitUntilAnnounced(by observer: FileSystemObserver) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await observer.synchronize()
      done.signal()
    }
    done.wait()
  }

  /// Takes all renames; says in how many sets they were.
  private func take(_ changes: Int, from queue: FileSystemObserver.EventQueue) -> Int {
    var (sets, renames) = (0, 0)
    queue.drain { event in
      guard case .didChange(let set) = event else { return }
      sets += 1
      renames += set.count { $0.kind == .renamed }
    }
    precondition(renames == changes, "\(renames) of \(changes) renames were taken")
    return sets
  }

  private func measureListening(_ changes: Int, in base: Folder) throws -> (Duration, sets: Int) {
    try base.mkdir("crowd")
    let folder = base.appending("crowd")
    defer { folder.remove() }
    for number in 0..<changes { try folder.write("\(number)", "") }
    let observer = FileSystemObserver(directory: URL(filePath: folder.path))
    let limit = max(FileSystemObserver.defaultBufferLimit, 2 * changes)
    let tally = Tally(listeners: count, changes: changes)
    let end = listen(to: observer, limit, tally)
    defer { end() }
    try observer.start()
    defer { observer.stop() }
    for _ in 0..<count { tally.ready.wait() }
    let start = Moment.now
    for number in 0..<changes { try folder.rename("\(number)", "\(number).new") }
    for _ in 0..<count { tally.done.wait() }
    return (Moment.now - start, tally.sets.load(ordering: .relaxed))
  }

  /// Gives what ends it.
  private func listen(to observer: FileSystemObserver, _ limit: Int, _ tally: Tally) -> () -> Void {
    switch kind {
    case .backlog: preconditionFailure("nobody listens to a backlog")
    case .blocks:
      let tokens = (0..<count).map { number in
        observer.addNotificationBlock(bufferLimit: limit) { _, event in tally.note(event, by: number) }
      }
      return { for token in tokens { token.invalidate() } }
    case .sequences:
      let tasks = (0..<count).map { number in
        let sequence = observer.events(startingWith: .now, bufferLimit: limit)
        return Task.detached {
          var notifications = sequence.makeAsyncIterator()
          tally.listening.signal()
          while let notification = try await notifications.next() { tally.note(notification, by: number) }
        }
      }
      for _ in 0..<count { tally.listening.wait() }
      return { for task in tasks { task.cancel() } }
    }
  }
}

/// Who has been told of how much.
private final class Tally: Sendable {
  let listening = DispatchSemaphore(value: 0)
  let ready = DispatchSemaphore(value: 0)
  let done = DispatchSemaphore(value: 0)
  /// The change sets that the first listener was given.
  let sets = Atomic<Int>(0)
  private let told: [Count]
  private let changes: Int

  private final class Count: Sendable {
    let value = Atomic<Int>(0)
  }

  init(listeners: Int, changes: Int) {
    told = (0..<listeners).map { _ in Count() }
    self.changes = changes
  }

  func note(_ notification: FileSystemObserver.Event, by listener: Int) {
    switch notification {
    case .didCompleteFullScan: ready.signal()
    case .didChange(let set): note(set, by: listener)
    default: break
    }
  }

  private func note(_ set: FileSystemChanges, by listener: Int) {
    let renamed = set.count { $0.kind == .renamed }
    guard renamed > 0 else { return }
    if listener == 0 { sets.add(1, ordering: .relaxed) }
    let now = told[listener].value.add(renamed, ordering: .relaxed)
    if now.oldValue < changes, now.newValue >= changes { done.signal() }
  }
}

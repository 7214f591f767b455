import FileSystemObservation
import ReplayModel

/// Listeners that begin at random moments, each for a random part of the tree.
///
/// What each of them has made of its events must match the tree.
final class Joiners {
  private struct Joiner {
    let scope: FileSystemObserver.Scope
    let subscription: Subscription
    let remove: @Sendable () -> Void
    var replay = PathReplay()
    /// A list of the same items, from the first snapshot on.
    var list: ListReplay?
    var hasBegun = false
  }

  /// The largest number of listeners at a time.
  private static let limit = 12

  let hub = NotificationHub()
  private let announcer: Announcer
  private var joiners: [Joiner] = []
  private var random: Random
  /// The number of listeners so far.
  private(set) var count = 0

  init(seed: UInt64) {
    random = Random(seed: seed ^ 0x3c6e_f372_fe94_f82b)
    announcer = Announcer(directory: "tree", epoch: seed, policy: .waitForReturn)
  }

  func take(_ output: EngineOutput) { announcer.announce(output, to: hub) }

  /// May add a listener, and has some listeners take their events.
  func turn(_ engine: Observer.SimulatedEngine) {
    if joiners.count < Self.limit, random.chance(1, of: 6) { join(engine) }
    for index in joiners.indices where random.chance(1, of: 4) { drain(index) }
  }

  private func join(_ engine: Observer.SimulatedEngine) {
    guard let scope = scope(engine) else { return }
    count += 1
    let limit = random.chance(1, of: 4) ? 1 + random.below(8) : 65_536
    let subscription = engine.subscription(Subscription.Terms(scope: scope, start: .snapshot, limit: limit))
    joiners.append(Joiner(scope: scope, subscription: subscription, remove: hub.add(subscription)))
    // Some take the snapshot at once, others after more has happened.
    if random.chance(1, of: 2) { drain(joiners.count - 1) }
  }

  private func scope(_ engine: Observer.SimulatedEngine) -> FileSystemObserver.Scope? {
    guard let items = engine.items(in: .all), !items.isEmpty else { return nil }
    let choice = random.below(4)
    if choice == 0 { return .all }
    if choice == 1 { return .item(items[random.below(items.count)].uuid) }
    // Mostly folders of the tree, sometimes the observed one.
    let folders = items.filter { $0.kind == .directory }
    let folder = random.pick(folders).flatMap { random.chance(1, of: 6) ? $0.parent : $0.uuid }
    return folder.map { choice == 2 ? .folder($0) : .subtree($0) }
  }

  private func drain(_ index: Int) {
    while case .event(let event) = joiners[index].subscription.next() {
      joiners[index].replay.apply(event)
      if !joiners[index].hasBegun, case .reset(let snapshot, _) = event {
        joiners[index].hasBegun = true
        joiners[index].list = ListReplay(snapshot, of: joiners[index].scope, &random)
      } else {
        joiners[index].list?.take(event)
      }
    }
    joiners[index].list?.update()
  }

  /// The differences between the listeners' trees and the real one; then removes most of the listeners.
  func differences(_ engine: Observer.SimulatedEngine) -> [String] {
    var differences: [String] = []
    for index in joiners.indices {
      drain(index)
      let joiner = joiners[index]
      guard let items = engine.items(in: joiner.scope) else { continue }
      if let list = joiner.list {
        differences += list.differences(engine.items(in: joiner.scope)).map { "a list of \(joiner.scope): \($0)" }
      }
      differences += joiner.replay.contradictions.map { "a listener for \(joiner.scope) was told: \($0)" }
      differences += Self.compare(joiner.replay, PathReplay(items)).map { "a listener for \(joiner.scope): \($0)" }
    }
    let kept = joiners.filter { _ in random.chance(1, of: 3) }
    for joiner in joiners where !kept.contains(where: { $0.subscription === joiner.subscription }) { joiner.remove() }
    joiners = kept
    return differences
  }

  private static func compare(_ announced: PathReplay, _ items: PathReplay) -> [String] {
    if announced == items { return [] }
    return Set(announced.items.keys).union(items.items.keys).sorted().compactMap { path in
      let (known, there) = (announced.items[path], items.items[path])
      if known == there { return nil }
      return "\(path) is \(there.map { "\($0)" } ?? "nothing"), told was \(known.map { "\($0)" } ?? "nothing")"
    }
  }
}

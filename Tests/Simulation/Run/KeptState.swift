import FileIdentity
import FileSystemObservation

/// What the store of an observer had at a moment, and what was told until then.
struct KeptState {
  let tree: ResumedTree
  var replay: ReplayTree
  /// What was told of the contents of files.
  let knownContents: [UUIDBits: KnownContent]
  let standing: [UUIDBits: Standing]
  let originals: [UUIDBits: UUIDBits]
  let arriving: Set<UUIDBits>
  /// How many changes were told.
  let toldCount: Int
}

/// The states of a store, of which only an earlier one may have reached the disk.
struct KeptStates {
  private static let count = 3
  private var states: [KeptState] = []
  private var random: Random

  init(seed: UInt64) {
    random = Random(seed: seed ^ 0x3c6e_f372_fe94_f82b)
  }

  /// Whether the store is written now.
  mutating func isDue() -> Bool { random.chance(1, of: 6) }

  mutating func append(_ state: KeptState) {
    if states.count == Self.count { states.removeFirst() }
    states.append(state)
  }

  /// The store has this state for certain.
  mutating func write(_ state: KeptState) { states = [state] }

  /// The last set that the store has for certain, of the states that it may be found to have.
  var certainSequence: UInt64? { states.count == Self.count ? states.first?.tree.sequence : nil }

  /// What is left of the store when the process ends: the state now; or, if writes may be lost, an earlier one, and
  /// rarely nothing.
  mutating func left(now: KeptState?, losingWrites: Bool) -> KeptState? {
    if !losingWrites { return now }
    if random.chance(1, of: 20) {
      states = []
      return nil
    }
    let all = states + (now.map { [$0] } ?? [])
    let kept = random.chance(1, of: 2) ? all.last : random.pick(all)
    states = kept.map { [$0] } ?? []
    return kept
  }
}

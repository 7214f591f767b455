import FileSystemObservation

/// What kind of world a run has, which follows from its seed.
package struct WorldOptions: Sendable, Codable {
  package var seed: UInt64
  var source: SimulatedSource
  var processes: Int
  var window: Int
  var queueCapacity: Int
  /// How often, out of a thousand calls of the observer, somebody else does a step.
  var interludes: Int
  /// How often, out of a hundred renames, other events come between the two of it.
  var halves: Int
  var initialItems: Int
  var includesHidden: Bool
  /// How eagerly the observer takes events, beside programs' steps.
  var eagerness: Int
  var observers: Int
  /// How often, out of a thousand turns, an observer is killed and started again.
  var kills: Int
  /// How often, out of a thousand calls of an observer, one fails.
  var faults: Int

  /// Kinds of operations that are left out.
  var excluded: [String]
  /// The only kind of operations there is.
  var only: String?

  /// For how many directories the kernel has room, if that does not follow from the seed.
  var markLimit: Int?

  /// For how many directories the kernel has room.
  var room: Int {
    if let markLimit { return markLimit }
    guard source.isLimited else { return .max }
    var random = Random(seed: seed ^ 0x2545_f491_4f6c_dd1d)
    return 1 + random.below(8)
  }

  /// Patterns of what is not observed; worlds are made without.
  var excludedItems: [String]?
  /// Patterns of what alone is observed; worlds are made without.
  var includedItems: [String]?

  /// What observers observe; a pattern that is malformed is none.
  var filter: ItemFilter {
    let lists = [excludedItems, includedItems].map { strings in
      PathPatternList((strings ?? []).compactMap { try? PathPattern($0) })
    }
    return ItemFilter(includesHidden: includesHidden, excluded: lists[0], included: lists[1])
  }

  /// How many entries of a directory are looked at together; worlds that were kept before there was a choice have none.
  var entriesAtATime: Int?
  /// How many files in a row have to be without a tag until others are presumed to be; nothing where none ever is.
  var missesToPresume: Int?

  /// With how many unfinished files the first looks at new ones may wait; nothing where that is as in an app.
  var burst: Int?
  /// Whether an observer that is killed goes on from its last state, as a store has it.
  var stores: Bool?
  /// Whether its store may have an earlier state then, or nothing.
  var losesWrites: Bool?
  /// How many operations out of a hundred an app asks its observer to do; worlds that were kept before have none.
  package var ownShare: Int?

  package init(
    seed: UInt64, source: SimulatedSource = .inotify, faults hasFaults: Bool = false, observers count: Int? = nil,
    without excluded: [String] = [], only: String? = nil, stores: Bool = false,
    losesWrites: Bool = false
  ) {
    self.seed = seed
    self.source = source
    self.excluded = excluded
    self.only = only
    var random = Random(seed: seed ^ 0x517c_c1b7_2722_0a95)
    processes = 1 + random.below(4)
    window = 1 + random.below(random.chance(1, of: 3) ? 40 : 8)
    queueCapacity = random.chance(1, of: 8) ? 4 + random.below(60) : 16_384
    interludes = random.pick([0, 0, 5, 50]) ?? 0
    halves = random.pick([0, 10, 50]) ?? 0
    initialItems = random.below(25)
    includesHidden = random.chance(1, of: 5)
    eagerness = random.pick([1, 4, 12]) ?? 4
    let isShared = random.chance(1, of: 8)
    observers = count ?? (isShared ? 2 : 1)
    kills = random.chance(1, of: 8) ? 1 + random.below(20) : 0
    faults = hasFaults ? 1 << random.below(8) : 0
    if stores || losesWrites {
      self.stores = true
      self.losesWrites = losesWrites ? true : nil
      kills = max(kills, 10)
    }
    var choice = Random(seed: seed ^ 0x6a09_e667_f3bc_c908)
    entriesAtATime = choice.pick([1, 3, 32])
    missesToPresume = choice.pick([nil, 0, 2]) ?? nil
    burst = choice.pick([nil, 1, 3]) ?? nil
  }
}

import LinuxFileSystem
import SystemPackage

/// What the thread of a store's writer knows.
struct StoreJob: Sendable {
  private let storage: any TreeStorage
  private let limits: StoreWriter.Limits
  private let surroundings: StoreWriter.Surroundings
  private var head: StoredHead
  private var layout: StoredLayout
  /// The picture to write; after a failure, with what has changed since the last one that was written.
  private var picture: GraphPicture?
  /// The entries that have changed since the store was written.
  private var owed: ChangeMarks? = ChangeMarks()
  private var hasFailed = false
  /// The pages of digests that have changed since the store was written.
  private var owedContents = ChangeMarks()
  /// Bytes of sets that were written since old ones were removed.
  private var untrimmed: Int

  init(
    _ storage: any TreeStorage, _ head: StoredHead, _ layout: StoredLayout, _ limits: StoreWriter.Limits,
    _ surroundings: StoreWriter.Surroundings
  ) {
    self.storage = storage
    self.head = head
    self.layout = layout
    self.limits = limits
    self.surroundings = surroundings
    untrimmed = limits.keptBytes
  }

  /// Takes a picture of the tree; the number of its set, or `nil` if there is no tree yet.
  mutating func takePicture() -> UInt64? {
    guard var picture = surroundings.picture() else { return nil }
    if var all = owed, let changed = picture.changed {
      all.formUnion(changed)
      owed = all
    } else {
      owed = nil
    }
    picture.changed = owed
    if let changed = picture.contents?.changed { owedContents.formUnion(changed) }
    self.picture = picture
    return picture.sequence
  }

  /// Writes the picture and the sets that lead to it; whether the store has taken them.
  mutating func write(_ sets: [WaitingSets.Set], directory: FilePath) -> Bool {
    // A retained picture would have the engine copy each page that it changes.
    guard let picture = take() else { return true }
    let number = picture.sequence
    let stored = sets.map { StoredSet(number: $0.number, date: $0.date, bytes: $0.changes.bytes) }
    let size = stored.reduce(0) { $0 + $1.bytes.count }
    let mustTrim = untrimmed + size > limits.keptBytes / 16
    do {
      var (layout, head) = (layout, head)
      try storage.write { transaction in
        try layout.write(picture, to: transaction)
        try StoredContents.write(picture.contents, owedContents, to: transaction)
        for set in stored { try transaction.put(set) }
        if mustTrim {
          try transaction.removeSets(before: WallClock.nanoseconds - limits.age, keeping: limits.keptBytes)
        }
        head = self.head(of: picture, layout, directory)
        try transaction.put(head: head.bytes)
      }
      (self.layout, self.head) = (layout, head)
    } catch {
      fail(error)
      return false
    }
    succeed(mustTrim ? 0 : untrimmed + size)
    surroundings.stored(number)
    return true
  }

  private mutating func take() -> GraphPicture? {
    defer { picture = nil }
    return picture
  }

  private mutating func fail(_ error: any Error) {
    hasFailed = true
    surroundings.failed(error)
    surroundings.stored(nil)
  }

  private mutating func succeed(_ untrimmed: Int) {
    owed = ChangeMarks()
    owedContents = ChangeMarks()
    self.untrimmed = untrimmed
    if hasFailed { surroundings.failed(nil) }
    hasFailed = false
  }

  private func head(of picture: GraphPicture, _ layout: StoredLayout, _ directory: FilePath) -> StoredHead {
    var head = head
    head.number = picture.sequence
    head.date = WallClock.nanoseconds
    head.nodeCount = picture.storage.nodes.count
    head.digest = layout.digest
    head.directory = Array(directory.bytes)
    head.devices = picture.storage.devices.map { device in
      let identity = surroundings.identity(device)
      let known = self.head.devices.first { $0.number == device }
      return StoredHead.Device(number: device, identity: identity != 0 ? identity : known?.identity ?? 0)
    }
    head.runs = head.runs.suffix(StoredHead.runLimit)
    return head
  }
}

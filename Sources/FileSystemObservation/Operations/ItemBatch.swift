public import SystemPackage

extension FileSystemObserver {
  /// The result of an operation on several items that are named by their paths.
  public typealias Batch = ItemBatch<FilePath>

  /// The result of an operation on several items, one after the other.
  ///
  /// `Item` is by what the items are named: their paths, their UUIDs, or as what they are in the trash. If one item
  /// fails, the items after it are left as they are, unless the batch was to continue. To go on, mend the reason and
  /// pass ``remaining`` to the same call.
  public struct ItemBatch<Item: Sendable & Hashable>: Sendable, Hashable {
    /// An item that an operation failed for.
    public struct Failure: Sendable, Hashable {
      /// The item; nothing was done to it.
      public let item: Item
      /// The reason.
      public let error: FileSystemObserverError

      /// Makes a failure, for apps that mock the observer.
      public init(item: Item, error: FileSystemObserverError) {
        self.item = item
        self.error = error
      }
    }

    /// The completed operations, in order.
    public let completed: [Operation]
    /// The items that nothing was done to, in order: those that failed, and those after the end of the batch.
    public let remaining: [Item]
    /// The items that failed, in order; at most one, unless the batch was to continue.
    ///
    /// A cancellation is the failure of the item at hand.
    public let failures: [Failure]

    /// Why the first item failed; `nil` if all are complete.
    public var failure: FileSystemObserverError? { failures.first?.error }

    /// The completed operations, if none failed: for an app that treats a failure like that of a single item.
    ///
    /// - Throws: Why the first item failed. What was done is not undone; ``completed`` has it.
    public func get() throws(FileSystemObserverError) -> [Operation] {
      if let failure { throw failure }
      return completed
    }

    /// Makes a result, for apps that mock the observer.
    public init(completed: [Operation], remaining: [Item] = [], failures: [Failure] = []) {
      self.completed = completed
      self.remaining = remaining
      self.failures = failures
    }
  }
}

/// A batch that is under way.
struct BatchRun<Item: Sendable & Hashable> {
  typealias Batch = FileSystemObserver.ItemBatch<Item>

  private let items: [Item]
  /// Whether the items after one that failed are still done.
  private let continues: Bool
  private let control: OperationControl
  private var completed: [FileSystemObserver.Operation] = []
  private var failures: [Batch.Failure] = []
  /// How many items were done or failed.
  private var count = 0
  private(set) var isEnded = false

  init(_ items: [Item], continuing: Bool, _ control: OperationControl) {
    self.items = items
    continues = continuing
    self.control = control
  }

  /// The control of the next item.
  ///
  /// - Parameter name: What names it in the error.
  /// - Throws: `cancelled` if the batch is to end before it.
  func begin(_ name: String, at path: FilePath? = nil) throws(FileSystemObserverError) -> OperationControl {
    guard control.isCancelled() else { return control.part(count, of: items.count) }
    throw FileSystemObserverError(
      code: .cancelled, sentence: "the operation was cancelled before \(name); the items before it are done", path: path
    )
  }

  mutating func complete(_ operation: FileSystemObserver.Operation) {
    completed.append(operation)
    goOn()
  }

  mutating func fail(_ error: FileSystemObserverError) {
    failures.append(Batch.Failure(item: items[count], error: error))
    if continues, error.code != .cancelled { goOn() } else { isEnded = true }
  }

  private mutating func goOn() {
    count += 1
    control.report(count, of: items.count)
  }

  var result: Batch {
    let failed = isEnded ? failures.dropLast() : failures[...]
    return Batch(completed: completed, remaining: failed.map(\.item) + items[count...], failures: failures)
  }
}

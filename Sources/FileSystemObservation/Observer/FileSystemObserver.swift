public import Dispatch
public import FoundationEssentials
internal import FileIdentity
package import Synchronization
public import SystemPackage

public final class FileSystemObserver: Sendable {
  public static let shared: FileSystemObserver = FileSystemObserver()
  public convenience init() { self.init(directory: URL(filePath: "/")) }
  public init(directory: URL, options: ObservationOptions = ObservationOptions()) { fatalError() }
  /// Settable while stopped only; setters while running take effect at the next start.
  public var directory: URL { get { fatalError() } set { fatalError() } }
  /// glob patterns: matched against name, or against the path relative to the directory where the pattern holds a slash
  public var excludedItems: [String] { get { fatalError() } set { fatalError() } }
  /// nil: all. 0: only what lies directly in the directory.
  public var includedDirectoryLevels: Int? { get { fatalError() } set { fatalError() } }
  public var options: ObservationOptions { get { fatalError() } set { fatalError() } }
  public var isRunning: Bool { fatalError() }
  /// Returns once the root is opened & checked and the engine runs; the first scan goes on in the engine's thread.
  public func start() throws(ObservationError) { fatalError() }
  public func stop() { fatalError() }
  public func uuid(forItemAt url: URL) -> UUID? { fatalError() }
  public func uuid(forItemAt path: FilePath) -> UUID? { fatalError() }
  public func uuid(forParentOfItemAt url: URL) -> UUID? { fatalError() }
  public func url(forItemWith uuid: UUID) -> URL? { fatalError() }
  public func path(forItemWith uuid: UUID) -> FilePath? { fatalError() }
  public func inventory() -> Inventory { fatalError() }
  /// queue nil: a private serial queue of the observer. A given queue must be serial.
  public func addNotificationBlock(
    on queue: DispatchQueue? = nil, _ block: @escaping @Sendable (FileSystemObserver, ObservationNotification) -> Void
  ) -> NotificationToken { fatalError() }
  /// What `ObservationBroadcast` keeps here while notifications are posted to the NotificationCenter.
  package let broadcastToken = Mutex<NotificationToken?>(nil)
  public var changes: ObservationSequence { fatalError() }
  public func replaceContents(of url: URL, with contents: some Collection<UInt8>) throws(ObservationError) { fatalError() }
  /// Returns the UUID of the copy.
  @discardableResult
  public func duplicateItem(at source: URL, to destination: URL) throws(ObservationError) -> UUID { fatalError() }
}

public struct ObservationSequence: AsyncSequence, Sendable {
  public typealias Element = ObservationNotification
  public typealias Failure = Never
  public struct Iterator: AsyncIteratorProtocol {
    public mutating func next() async -> ObservationNotification? { fatalError() }
  }
  public func makeAsyncIterator() -> Iterator { fatalError() }
}

public struct ChangeSet: Sendable {
  /// counts change sets, from 1
  public let sequence: UInt64
  public let changes: Changes
  public struct Changes: RandomAccessCollection, Sendable {
    public var startIndex: Int { 0 }
    public var endIndex: Int { fatalError() }
    public subscript(position: Int) -> Change { fatalError() }
  }
  public struct MovedItem: Sendable {
    public let uuid: UUID
    public let itemKind: ItemKind
    public let path: FilePath
    public let previousPath: FilePath
  }
  /// What lies below a directory that was renamed or moved in this change set, parents before children.
  public func itemsMoved(with change: Change) -> [MovedItem] { fatalError() }
}

/// All items at one moment (a cheap snapshot): parents before children, the observed directory itself not included.
public struct Inventory: RandomAccessCollection, Sendable {
  public struct Item: Sendable {
    public let uuid: UUID
    public let itemKind: ItemKind
    public let path: FilePath
    public let isCopying: Bool
    public let identityKind: IdentityKind
  }
  /// The change set after which this is the state.
  public let sequence: UInt64
  public let root: FilePath
  public var startIndex: Int { 0 }
  public var endIndex: Int { fatalError() }
  public subscript(position: Int) -> Item { fatalError() }
}

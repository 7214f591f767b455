public import FileSystemObservation
public import Foundation
internal import SystemPackage

/// Monitors one object of a file system, anywhere: a file, a folder or a symbolic link.
///
/// ```swift
/// let monitor = FileSystemObjectMonitor(fileURL: url) { event in
///   if case .wasRenamed(_, let url) = event { document.fileURL = url }
/// }
/// monitor.startMonitoring()
/// ```
///
/// The object is followed through renames in its folder, and through saves by any editor: after a save by replacement
/// the monitor goes on with the new file, as ``Event/dataDidChange(_:)``. That rests on the path, since a monitor
/// writes no tags. If the object leaves its folder, it counts as deleted; if it comes back, monitoring goes on. If its
/// folder moves, ``fileURL`` follows.
///
/// A monitor observes the object's folder; all monitors in this process of objects in one folder share one observer. An
/// app that monitors many objects of a tree should use a `FileSystemObserver` instead.
public final class FileSystemObjectMonitor: BaseMonitor {
  /// An event of a monitored object, with its URL.
  @nonexhaustive
  public enum Event: Sendable, Hashable {
    /// The object cannot be reached any more, because its file system was unmounted.
    case accessWasRevoked(URL)
    /// The contents changed.
    ///
    /// Of a file: announced when it is complete, once for a save. Of a folder: an item was made, removed or renamed in
    /// it.
    case dataDidChange(URL)
    /// The object has a name more or less in its folder; a folder has a folder more or less in it.
    case linkCountDidChange(URL)
    /// Permissions, owner or an extended attribute changed.
    case metadataDidChange(URL)
    /// The size of a file changed; ``dataDidChange(_:)`` comes before.
    case sizeDidChange(URL)
    /// The object was removed, or left its folder.
    case wasDeleted(URL)
    /// The object has another name: the former URL, and the new one.
    case wasRenamed(URL, URL)
  }

  /// The events that a monitor announces, one bit for each.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt

    /// Makes a set of options.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Loss of access: ``FileSystemObjectMonitor/Event/accessWasRevoked(_:)``.
    public static let accessWasRevoked = Options(rawValue: 1 << 0)
    /// Changes of the contents: ``FileSystemObjectMonitor/Event/dataDidChange(_:)``.
    public static let dataDidChange = Options(rawValue: 1 << 1)
    /// Changes of the number of names: ``FileSystemObjectMonitor/Event/linkCountDidChange(_:)``.
    public static let linkCountDidChange = Options(rawValue: 1 << 2)
    /// Changes of permissions, owner and extended attributes: ``FileSystemObjectMonitor/Event/metadataDidChange(_:)``.
    public static let metadataDidChange = Options(rawValue: 1 << 3)
    /// Changes of the size: ``FileSystemObjectMonitor/Event/sizeDidChange(_:)``.
    public static let sizeDidChange = Options(rawValue: 1 << 4)
    /// The deletion: ``FileSystemObjectMonitor/Event/wasDeleted(_:)``.
    public static let wasDeleted = Options(rawValue: 1 << 5)
    /// Renames: ``FileSystemObjectMonitor/Event/wasRenamed(_:_:)``.
    public static let wasRenamed = Options(rawValue: 1 << 6)

    /// All events.
    public static let all: Options = [
      .accessWasRevoked, .dataDidChange, .linkCountDidChange, .metadataDidChange, .sizeDidChange, .wasDeleted,
      .wasRenamed,
    ]
  }

  /// The queue on which the handler runs.
  public let queue: OperationQueue
  /// The events that the monitor announces.
  public let options: Options
  /// Why the object is not monitored although `isMonitoring` is true; `nil` if it is.
  public private(set) var failure: FileSystemObserverError?

  private let givenURL: URL
  private let handler: @Sendable (Event) -> Void
  private var object: MonitoredObject?
  /// Whether the handler may be called; a new one for each start.
  private var isOn = Guarded(false)

  /// Makes a monitor that is not started; it does not access the disk.
  ///
  /// - Parameters:
  ///   - fileURL: The file URL of the object, which must exist when monitoring starts.
  ///   - options: The events to announce.
  ///   - queue: The queue on which the handler runs; by default the main queue. Events keep their order on a queue that
  ///     runs one operation at a time.
  ///   - handler: Called for each event. No call begins after `stopMonitoring()` returns.
  public init(
    fileURL: URL, options: Options = .all, queue: OperationQueue = .main,
    handler: @escaping @Sendable (Event) -> Void
  ) {
    givenURL = fileURL
    self.options = options
    self.queue = queue
    self.handler = handler
  }

  /// The URL of the object: where it is now, as far as events have told.
  public var fileURL: URL { object?.url ?? givenURL }

  /// Begins to monitor; called by `startMonitoring()`.
  ///
  /// Blocks until the folder of the object is listed: usually a few milliseconds, at most 7 seconds if the file system
  /// does not answer. What happens after that is announced.
  public override func configureMonitor() {
    super.configureMonitor()
    let (queue, options, handler, isOn) = (queue, options, handler, Guarded(true))
    self.isOn = isOn
    do throws(FileSystemObserverError) {
      object = try MonitoredObject(at: fileURL) { event in
        guard options.contains(event.option) else { return }
        queue.addOperation { if isOn.withLock({ $0 }) { handler(event) } }
      }
      failure = nil
    } catch {
      failure = error
    }
  }

  /// Ends monitoring; called by `stopMonitoring()`.
  public override func cleanupMonitor() {
    isOn.withLock { $0 = false }
    object?.end()
    super.cleanupMonitor()
  }
}

extension FileSystemObjectMonitor.Event {
  /// The option for the event.
  public var option: FileSystemObjectMonitor.Options {
    switch self {
    case .accessWasRevoked: .accessWasRevoked
    case .dataDidChange: .dataDidChange
    case .linkCountDidChange: .linkCountDidChange
    case .metadataDidChange: .metadataDidChange
    case .sizeDidChange: .sizeDidChange
    case .wasDeleted: .wasDeleted
    case .wasRenamed: .wasRenamed
    }
  }
}

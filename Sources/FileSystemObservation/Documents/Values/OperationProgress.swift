extension FileSystemObserver {
  /// How far the copying of a file or folder has come, or an operation on several items.
  public struct OperationProgress: Sendable, Hashable, Codable {
    /// The number of items that are done: files, folders and symbolic links.
    public var items: Int
    /// The number of items that there are; nil while they are being counted.
    public var totalItems: Int?
    /// The number of bytes of contents that are done.
    public var bytes: Int64
    /// The number of bytes of contents that there are; nil while they are being counted.
    public var totalBytes: Int64?
    /// How much is done, from 0 to 1, for a progress bar; nil while it is being counted.
    public var fraction: Double?

    /// Makes a value, for apps that mock the observer.
    public init(
      items: Int = 0, totalItems: Int? = nil, bytes: Int64 = 0, totalBytes: Int64? = nil, fraction: Double? = nil
    ) {
      self.items = items
      self.totalItems = totalItems
      self.bytes = bytes
      self.totalBytes = totalBytes
      self.fraction = fraction
    }
  }
}

extension FileSystemObserver.OperationProgress: CustomStringConvertible {
  /// The numbers, for a log.
  public var description: String {
    "\(items) of \(totalItems.map(String.init) ?? "?") items, \(bytes) of \(totalBytes.map(String.init) ?? "?") bytes"
  }
}

// In a collection, too, these print as their raw values, and not with the name of the module.

extension FileSystemChange.Kind: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemItem.Kind: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemItem.IdentityKind: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension DeletionReason: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.ScanReason: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.SkipReason: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.ResetReason: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.Tagging: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.RootLossPolicy: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.Backend: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension FileSystemObserver.Diagnostic.Code: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension Int {
  /// "1 item", "2 items".
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

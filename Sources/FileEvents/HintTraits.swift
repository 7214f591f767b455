/// How far a hint can be trusted.
@usableFromInline package struct HintTraits: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt8

  @usableFromInline package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Unreported changes may have followed, so that the hint may be out of date: use it only to decide where to look.
  package static let unordered = Self(rawValue: 1 << 0)
  /// The name must be looked at, because it may have been created again without a report.
  package static let look = Self(rawValue: 1 << 1)
  /// This process caused the change.
  package static let own = Self(rawValue: 1 << 2)
}

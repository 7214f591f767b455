/// How a hint is to be taken.
@usableFromInline package struct HintTraits: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt8

  @usableFromInline package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// More may have happened since than will be told, so that what the hint says may be over: it tells where to look,
  /// and nothing else.
  package static let unordered = Self(rawValue: 1 << 0)
  /// The name is to be looked at besides: it may have been taken again untold.
  package static let look = Self(rawValue: 1 << 1)
  /// This process did it.
  package static let own = Self(rawValue: 1 << 2)
}

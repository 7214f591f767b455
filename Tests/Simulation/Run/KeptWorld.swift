package import FileIdentity
package import LinuxFileSystem

/// A run in which a rule was violated once: kept, so that it never is again.
///
/// It says all that happens, down to the call of an observer in which somebody else does a step or that fails; a seed
/// means another run as soon as the generator changes.
package struct KeptWorld: Codable, Sendable {
  /// Which rule was violated, and how that was told.
  package var violation: String
  package var options: WorldOptions
  /// The names that the numbers in `items` stand for.
  package var names: [String]
  package var items: [Item]
}

extension Runner {
  /// Keeps a run of this runner.
  package func kept(_ items: [Item], violation: Violation) -> KeptWorld {
    KeptWorld(violation: "\(violation.rule): \(violation.text)", options: options, names: nameTexts, items: items)
  }

  /// A runner for a world that was kept.
  package init(_ world: KeptWorld) {
    self.init(options: world.options, names: world.names)
  }
}

extension FileKind: Codable {}

extension UUIDBits: Codable {
  package init(from decoder: any Decoder) throws {
    var halves = try decoder.unkeyedContainer()
    self.init(high: try halves.decode(UInt64.self), low: try halves.decode(UInt64.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var halves = encoder.unkeyedContainer()
    try halves.encode(high)
    try halves.encode(low)
  }
}

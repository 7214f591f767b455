/// How a run uses contents as evidence of identity.
struct ContentUse: Sendable {
  var digesting: any ContentDigesting
  /// Called on the engine's thread when there are new digests.
  var didChange: @Sendable () -> Void
}

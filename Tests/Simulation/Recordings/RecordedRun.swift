package import ObservationCorpus

/// One re-enactment of a recording in the simulated machine, by a schedule that follows from its seed.
package struct RecordedRun {
  package let recording: Recording
  package let seed: UInt64
  private let names: NameTable

  package init(_ recording: Recording, seed: UInt64, names: NameTable = NameTable()) {
    self.recording = recording
    self.seed = seed
    self.names = names
  }

  /// What is wrong with what was said; nothing if it is the truth.
  package func faults() -> [String] {
    let reenactment = Reenactment(Schedule(recording, seed: seed), names)
    defer { reenactment.tearDown() }
    return reenactment.run()
  }

  /// What happens, in words.
  package func journal() -> [String] {
    let reenactment = Reenactment(Schedule(recording, seed: seed), names)
    defer { reenactment.tearDown() }
    return reenactment.journal()
  }
}

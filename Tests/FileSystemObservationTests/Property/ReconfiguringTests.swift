import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

/// The configuration changes again and again while random operations on real files go on.
@Suite struct ReconfiguringTests {
  private static let patterns = ["*a*", "*.txt", "d*/", "/d*", "**/b*/", "!*c*"]

  /// A random choice of what is observed.
  private func configuration(
    _ original: FileSystemObserver.Configuration, _ random: inout SplitMix64
  ) -> FileSystemObserver.Configuration {
    var configuration = original
    configuration.excludedPatterns = Self.patterns.filter { _ in random.chance(1, of: 4) }
    configuration.includedPatterns = Self.patterns.filter { _ in random.chance(1, of: 8) }
    configuration.depth = random.chance(1, of: 3) ? Int.random(in: 0...2, using: &random) : nil
    configuration.includesHiddenItems = random.chance(1, of: 3)
    return configuration
  }

  @Test(.busy, .undisturbed, arguments: UInt64(1)...3)
  func whatWasAnnouncedIsWhatIsThereInTheEnd(_ seed: UInt64) async throws {
    let observed = try await ObservedFolder.begin("again\(seed)") { try RandomWork.makeDocuments(in: $0.watched) }
    let original = observed.observer.configuration
    let work = try RandomWork(in: observed.folder, seed: seed, steps: 15) { try observed.identity($0) }
    let isDone = Feed<Bool>()
    async let finished: Void = {
      _ = try await work.run(since: .now)
      isDone.append(true)
    }()
    var random = SplitMix64(seed: seed)
    while isDone.count == 0 {
      try observed.observer.reconfigure(configuration(original, &random))
      await observed.observer.synchronize()
    }
    try await finished
    try observed.observer.reconfigure(original)
    await observed.observer.synchronize()
    try await observed.expectAgreement()
  }
}

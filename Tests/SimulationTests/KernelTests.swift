import Glibc
import ObservationSimulation
import TestTraits
import Testing

/// The simulated machine does what a real one does: the same system calls have the same results and are told by the
/// same events.
@Suite(.processor, .enabled(if: geteuid() == 0, "in the simulated machine everybody is root"))
struct KernelTests {
  /// Folders on different file systems; more of them may be named, with colons between, in `FSO_FOLDERS`.
  static let folders: [String] = {
    let named = unsafe getenv("FSO_FOLDERS").map { unsafe String(cString: $0) } ?? ""
    return (["/var/tmp", "/dev/shm"] + named.split(separator: ":").map(String.init)).filter { folder in
      unsafe access(folder, W_OK) == 0
    }
  }()

  /// `FSO_KERNEL_SEEDS=1..400` runs others than the usual ones.
  private static let seeds: ClosedRange<UInt64> = {
    let named = unsafe getenv("FSO_KERNEL_SEEDS").map { unsafe String(cString: $0) } ?? "1..40"
    let bounds = named.split(separator: ".").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return 1...40 }
    return first...last
  }()

  @Test(arguments: folders) func theSameCallsHaveTheSameResultsAndEvents(in folder: String) throws {
    for seed in Self.seeds {
      var comparison = try KernelComparison(seed: seed, in: folder)
      let difference = try comparison.run(calls: 300)
      #expect(difference == nil, "seed \(seed) in \(folder)")
    }
  }

  @Test(arguments: folders) func aFullQueueEndsWithOneEventThatSaysSo(in folder: String) throws {
    var comparison = try KernelComparison(seed: 1, in: folder)
    let difference = try comparison.overflow()
    #expect(difference == nil)
  }

  @Test(arguments: folders) func attributesHaveTheSameLimits(in folder: String) throws {
    var comparison = try KernelComparison(seed: 1, in: folder)
    guard comparison.hasNarrowAttributes else { return }
    let difference = try comparison.attributeLimits()
    #expect(difference == nil)
  }
}

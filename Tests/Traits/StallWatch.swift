import LinuxFileSystem
import ObservationTestSupport

/// Notices when the machine stands still: when a thread that wants to run for a moment, and to rename a file, cannot.
///
/// It looks as long as the process lives, twenty times a second.
package final class StallWatch: Sendable {
  package static let shared = StallWatch()

  /// What is shorter than this is no stall: a fifth of the window in which a rename and a save are told from a
  /// deletion.
  private static let limit = Duration.milliseconds(100)
  private static let interval = Duration.milliseconds(50)

  private struct Stall {
    let end: Moment
    let length: Duration
  }

  private let stalls = Mutex<[Stall]>([])

  private init() {
    do {
      let folder = try TestFolder("stalls")
      try folder.outside.write("0")
      _ = try NativeThread(name: "stall watch") { [self] in look(in: folder) }
    } catch {
      print("stalls of the machine are not seen: \(error)")
    }
  }

  /// The longest time for which the machine stood still since a moment, if it did.
  func longestStall(since moment: Moment) -> Duration? {
    stalls.withLock { $0.filter { $0.end > moment }.map(\.length).max() }
  }

  /// Takes in how long something took that takes no time at all: another thread than the watch's own may have been kept
  /// from running.
  package func note(_ length: Duration) {
    if length > Self.limit { stalls.withLock { $0.append(Stall(end: .now, length: length)) } }
  }

  private func look(in folder: TestFolder) {
    var names = ("0", "1")
    while true {
      let due = Moment.now + Self.interval
      due.sleep()
      try? folder.outside.rename(names.0, names.1)
      names = (names.1, names.0)
      note(.now - due)
    }
  }
}

import Dispatch
import Synchronization

/// What a contender has told, and when.
final class Sightings: Sendable {
  /// One thing told of one path.
  struct Sight: Hashable, Sendable {
    var word: String
    var path: String
  }

  private let times = Mutex<[Sight: Moment]>([:])
  private let news = DispatchSemaphore(value: 0)

  /// Takes in what was told, unless it was told before.
  func note(_ word: String, _ path: String, at time: Moment) {
    times.withLock { times in
      let sight = Sight(word: word, path: path)
      if times[sight] == nil { times[sight] = time }
    }
    news.signal()
  }

  /// When it was told; awaits it, but not for ever.
  func time(of sight: Sight, within time: DispatchTimeInterval = .seconds(30)) throws(NeverTold) -> Moment {
    let deadline = DispatchTime.now() + time
    while true {
      if let found = times.withLock({ $0.removeValue(forKey: sight) }) { return found }
      if news.wait(timeout: deadline) == .timedOut { throw NeverTold(sight: sight) }
    }
  }
}

/// A contender has missed something.
struct NeverTold: Error, CustomStringConvertible {
  var sight: Sightings.Sight
  var description: String { "never told: \(sight.word) \(sight.path)" }
}

import Glibc
import Synchronization

/// Says which seed it was when the process crashes or a run does not end.
enum Watchdog {
  private static let seed = Atomic<UInt64>(0)
  /// How long one run may take, in seconds.
  private static let patience: UInt32 = 60

  /// Begins to watch a run.
  static func watch(_ seed: UInt64) {
    Self.seed.store(seed, ordering: .relaxed)
    alarm(patience)
  }

  static func install() {
    for number in [SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGABRT, SIGALRM] {
      signal(number) { number in
        Watchdog.tell(number)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Writes with nothing but what a signal handler may use.
  private static func tell(_ number: CInt) {
    put(number == SIGALRM ? "no end of seed " : "crashed in seed ")
    var digits: [20 of UInt8] = .init(repeating: 0)
    var value = seed.load(ordering: .relaxed)
    var first = 20
    repeat {
      first -= 1
      digits[first] = UInt8(value % 10) + UInt8(ascii: "0")
      value /= 10
    } while value > 0
    for index in first..<20 {
      var digit = digits[index]
      _ = unsafe write(2, &digit, 1)
    }
    put("\n")
  }

  private static func put(_ text: StaticString) {
    _ = unsafe write(2, text.utf8Start, text.utf8CodeUnitCount)
  }
}

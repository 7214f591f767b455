import Dispatch
import Glibc
import ObservationGLib

/// A loop with nothing to do sleeps.
@MainActor func checkIdling() {
  let loop = Loop()
  GLibMainLoop.attachMainQueue()
  // A job that has been done must not wake the loop again.
  DispatchQueue.main.async {
    Source.after(milliseconds: 10) {
      let begin = Usage.now
      Source.after(milliseconds: 1000) {
        let end = Usage.now
        print("idle: switches \(end.switches - begin.switches), microseconds \(end.microseconds - begin.microseconds)")
        loop.quit()
      }
    }
  }
  loop.run()
}

/// What this thread has used.
private struct Usage {
  var switches: Int
  var microseconds: Int

  static var now: Usage {
    var usage = rusage()
    unsafe getrusage(1 /* RUSAGE_THREAD, which Swift does not import */, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return Usage(
      switches: usage.ru_nvcsw,
      microseconds: times.reduce(0) { $0 + $1.tv_sec * 1_000_000 + $1.tv_usec })
  }
}

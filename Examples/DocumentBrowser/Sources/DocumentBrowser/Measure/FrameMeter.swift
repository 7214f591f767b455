import CAdwaita

/// Prints how long frames take and how long the main loop is held up, one line of JSON a second, if there is anything.
///
/// `{"kind":"frames","count":58,"median":2.1,"p95":4.0,"longest":7.9}`, in milliseconds, by the counters of GTK's frame
/// clock; `{"kind":"blocked","longest":12.0,"busy":9.5}` is the longest time that a timer of 5 ms came late, and the
/// longest processor time of the main thread between two of its ticks. On a machine that has other work, the first is
/// more: the thread waits for a processor.
final class FrameMeter {
  private let clock: OpaquePointer?
  private var began = 0
  private var frames: [Int] = []
  private var lastTick = g_get_monotonic_time()
  private var longestGap = 0
  private var lastBusy = FrameMeter.processorTime()
  private var longestBusy = 0

  private static let tick: guint = 5
  private static let report: guint = 1000

  /// Measures the frames of a window, once it is shown.
  init(_ window: Widget) {
    gtk_widget_realize(window)
    clock = gtk_widget_get_frame_clock(window)
    clock?.on("before-paint") { [weak self] _ in self?.began = g_get_monotonic_time() }
    clock?.on("after-paint") { [weak self] _ in self?.noteFrame() }
    MainLoop.every(Self.tick) { [weak self] in self?.noteTick() }
    MainLoop.every(Self.report) { [weak self] in self?.printReport() }
  }

  private func noteFrame() { frames.append(g_get_monotonic_time() - began) }

  private func noteTick() {
    let now = g_get_monotonic_time()
    longestGap = max(longestGap, now - lastTick - Int(Self.tick) * 1000)
    lastTick = now
    let busy = Self.processorTime()
    longestBusy = max(longestBusy, busy - lastBusy)
    lastBusy = busy
  }

  /// The processor time of the calling thread in microseconds.
  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  private func printReport() {
    if !frames.isEmpty {
      let times = frames.sorted()
      printLine(
        #"{"kind":"frames","count":\#(times.count),"median":\#(milliseconds(times[times.count / 2])),"#
          + #""p95":\#(milliseconds(times[times.count * 95 / 100])),"longest":\#(milliseconds(times.last ?? 0))}"#)
    }
    printLine(#"{"kind":"blocked","longest":\#(milliseconds(longestGap)),"busy":\#(milliseconds(longestBusy))}"#)
    frames = []
    (longestGap, longestBusy) = (0, 0)
  }

  private func milliseconds(_ microseconds: Int) -> Double { (Double(microseconds) / 100).rounded() / 10 }

  private func printLine(_ line: String) {
    print(line)
    fflush(nil)
  }
}

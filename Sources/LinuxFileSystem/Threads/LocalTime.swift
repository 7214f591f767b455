internal import CLinux

/// A moment in the local time zone, to the second.
package struct LocalTime: Equatable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// `localtime_r(3)` of a number of seconds since the epoch.
  package init(seconds: Int64) {
    var fields = [CInt](repeating: 0, count: 6)
    unsafe clinux_local_time(seconds, &fields)
    self.init(
      year: Int(fields[0]), month: Int(fields[1]), day: Int(fields[2]), hour: Int(fields[3]), minute: Int(fields[4]),
      second: Int(fields[5]))
  }

  /// `mktime(3)`: seconds since the epoch.
  package var seconds: Int64 {
    unsafe clinux_local_seconds([year, month, day, hour, minute, second].map { CInt($0) })
  }
}

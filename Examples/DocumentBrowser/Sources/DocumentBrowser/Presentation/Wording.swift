import BrowserModel
import CAdwaita
import FileSystemObservation
import FoundationEssentials

/// How sizes, times and states are said, in the language of the user where GLib knows it.
enum Wording {
  /// A size, for example `1.2 MB`.
  static func size(_ bytes: Int64) -> String { taken(g_format_size(UInt(clamping: bytes))) ?? "" }

  /// The size of a document, or the number of items in a folder.
  static func size(of item: FileSystemItem.Snapshot) -> String {
    item.childCount.map { count($0, "item") } ?? size(item.size)
  }

  /// A number with its noun, for example `1,204 documents`.
  static func count(_ number: Int, _ noun: String) -> String {
    var digits = String(number)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return number == 1 ? "1 \(noun)" : "\(digits) \(noun)s"
  }

  /// A time as short as it can be said: of today without the day, of this year without the year.
  static func moment(_ date: Date) -> String {
    guard let now = Moment(Date.now), let moment = Moment(date) else { return "" }
    if moment.isSameDay(as: now) { return moment.text("%H:%M") }
    if let yesterday = Moment(Date.now - 24 * 3600), moment.isSameDay(as: yesterday) {
      return "Yesterday " + moment.text("%H:%M")
    }
    return moment.text(moment.isSameYear(as: now) ? "%-d %b, %H:%M" : "%-d %b %Y")
  }

  /// A time with all that is known of it.
  static func fullMoment(_ date: Date) -> String { Moment(date)?.text("%A, %-d %B %Y, %H:%M:%S") ?? "" }

  /// What a screen reader says of a row after its name.
  static func description(of item: FileSystemItem.Snapshot, _ annotation: Annotation) -> String {
    let notes = [
      annotation.isFavourite ? "favourite" : nil, annotation.label.map { "label \($0.rawValue)" },
      annotation.note.isEmpty ? nil : "with a note",
      item.isCopying ? "copying \(size(item.size))" : nil,
    ]
    let text = ([DocumentKind.of(item).title, size(of: item)] + notes.compactMap { $0 }).joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}

/// A moment in the time zone of the user.
private final class Moment {
  private let time: OpaquePointer

  init?(_ date: Date) {
    guard let time = g_date_time_new_from_unix_local(Int(date.timeIntervalSince1970)) else { return nil }
    self.time = time
  }

  isolated deinit { g_date_time_unref(time) }

  func text(_ format: String) -> String { taken(g_date_time_format(time, format)) ?? "" }

  func isSameYear(as other: Moment) -> Bool { g_date_time_get_year(time) == g_date_time_get_year(other.time) }

  func isSameDay(as other: Moment) -> Bool {
    isSameYear(as: other) && g_date_time_get_day_of_year(time) == g_date_time_get_day_of_year(other.time)
  }
}

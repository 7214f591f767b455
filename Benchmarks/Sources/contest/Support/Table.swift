/// A table in Markdown, its columns as wide as their widest cell.
struct Table {
  private var rows: [[String]]

  init(_ titles: [String]) {
    rows = [titles]
  }

  mutating func append(_ cells: [String]) { rows.append(cells) }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      "| " + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ") + " |"
    }
    lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
    return lines.joined(separator: "\n")
  }
}

extension Double {
  /// With so many digits after the point.
  func text(_ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int64((self * scale).rounded())
    guard digits > 0 else { return String(scaled) }
    let fraction = String(abs(scaled) % Int64(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / Int64(scale)).\(zeros)\(fraction)"
  }
}

import Foundation

/// A drawing in SVG: a bar for each thing measured, with its name and its value.
struct BarChart {
  private struct Bar {
    var name: String
    var value: Double
    var isOurs: Bool
  }

  private let title: String
  private let digits: Int
  private var bars: [Bar] = []

  init(_ title: String, digits: Int) {
    self.title = title
    self.digits = digits
  }

  mutating func append(_ name: String, _ value: Double, isOurs: Bool) {
    bars.append(Bar(name: name, value: value, isOurs: isOurs))
  }

  /// Shortest first.
  var svg: String {
    let sorted = bars.sorted { $0.value < $1.value }
    let longest = sorted.last?.value ?? 1
    let height = 40 + 24 * sorted.count
    let rows = sorted.enumerated().map { row($0.element, 40 + 24 * $0.offset, of: longest) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="760" height="\(height)" font-family="sans-serif" font-size="13">
      <rect width="760" height="\(height)" fill="#ffffff"/>
      <text x="10" y="22" font-size="15" fill="#222222">\(Self.escaped(title))</text>
      \(rows.joined(separator: "\n"))
      </svg>

      """
  }

  private func row(_ bar: Bar, _ y: Int, of longest: Double) -> String {
    let width = max(1, bar.value / max(longest, .leastNonzeroMagnitude) * 400)
    return """
      <text x="270" y="\(y + 13)" text-anchor="end" fill="#222222">\(Self.escaped(bar.name))</text>
      <rect x="280" y="\(y)" width="\(width.text(1))" height="18" fill="\(bar.isOurs ? "#2a6fbb" : "#b5b5b5")"/>
      <text x="\((288 + width).text(1))" y="\(y + 13)" fill="#222222">\(bar.value.text(digits))</text>
      """
  }

  func write(to path: String) throws {
    try svg.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// Collects lines for the output.
///
/// The lines of an event are written together at its end. Many lines are written in blocks, so that no more than a
/// block is in memory.
struct LineBuffer: Sendable {
  private static let block = 64 * 1024

  private let format: any LineFormat
  private let write: @Sendable ([UInt8]) throws -> Void
  private var bytes: [UInt8] = []
  private var isEmpty = true

  /// - Parameters:
  ///   - format: The form of the lines.
  ///   - write: Takes whole lines.
  init(_ format: any LineFormat, write: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.format = format
    self.write = write
    bytes.reserveCapacity(Self.block + Self.block / 4)
  }

  /// Appends a line.
  mutating func append(_ report: Report, _ context: LineContext) throws {
    var context = context
    context.isFirst = isEmpty
    format.append(report, context, to: &bytes)
    if !bytes.isEmpty { isEmpty = false }
    if bytes.count >= Self.block { try flush() }
  }

  /// Writes the appended lines.
  mutating func flush() throws {
    if bytes.isEmpty { return }
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

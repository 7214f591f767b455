import FoundationEssentials

extension FileSystemItemList.Order {
  /// A function of the app by which rows are compared; equal to itself only.
  final class OwnKey: Sendable, Hashable {
    enum Function: Sendable {
      case name(@Sendable (String) -> [UInt8])
      case number(@Sendable (UUID) -> Double?)
      case text(@Sendable (UUID) -> String?)
    }

    private let function: Function

    init(_ function: Function) {
      self.function = function
    }

    /// The key of an item, in bytes that sort like what the function returns.
    func make(for uuid: @autoclosure () -> UUID, named name: @autoclosure () -> String) -> [UInt8] {
      switch function {
      case .name(let key): key(name())
      case .number(let number): Self.bytes(of: number(uuid()))
      case .text(let text): Self.bytes(of: text(uuid()))
      }
    }

    /// Negative numbers sort in reverse by their bits, and before all others.
    private static func bytes(of number: Double?) -> [UInt8] {
      guard let number, !number.isNaN else { return [0] }
      // The sum with zero makes -0 and 0 equal.
      let bits = (number + 0).bitPattern
      let sortable = number < 0 ? ~bits : bits ^ (1 << 63)
      return [1] + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: sortable >> UInt64($0)) }
    }

    private static func bytes(of text: String?) -> [UInt8] {
      guard let text else { return [0] }
      var bytes: [UInt8] = [1]
      NaturalKey.append(ArraySlice(text.utf8), to: &bytes)
      return bytes
    }

    static func == (left: OwnKey, right: OwnKey) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}

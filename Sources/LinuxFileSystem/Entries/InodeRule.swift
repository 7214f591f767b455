/// The position of the inode number in the handles of a file system.
///
/// It depends on the file system, and is found out from directories with known numbers.
package struct InodeRule: Equatable, Sendable {
  private enum Field: CaseIterable {
    case wholeFirst, wholeAfterFour, half

    func number(in handle: KernelHandle) -> UInt64? {
      let (first, second) = handle.words
      return switch self {
      case .wholeFirst where handle.count >= 12: first
      case .wholeAfterFour where handle.count >= 12: first >> 32 | second << 32
      case .half where handle.count == 8: first & 0xffff_ffff
      default: nil
      }
    }
  }

  private var possible: [Field] = Field.allCases
  private var samples = 0
  /// The number of compared directories after which a rule is trusted.
  private static let enough = 16

  package init() {}

  /// Whether more directories should be compared.
  package var wantsSamples: Bool { samples < Self.enough && !possible.isEmpty }

  /// Compares the handle of a directory with its number.
  package mutating func learn(_ handle: KernelHandle, inode: UInt64) {
    samples += 1
    possible.removeAll { $0.number(in: handle) != inode }
  }

  /// The inode number of a file; 0 if the position is unknown.
  package func inode(of handle: KernelHandle) -> UInt64 {
    guard samples > 0, possible.count == 1 else { return 0 }
    return possible[0].number(in: handle) ?? 0
  }
}

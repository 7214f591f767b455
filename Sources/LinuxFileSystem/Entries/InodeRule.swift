/// Where the inode number stands in the handles of a file system.
///
/// That is the file system's own business. So it is found out, by directories whose numbers are known, and not taken
/// for granted.
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
  /// So many directories are compared before a rule is trusted for good.
  private static let enough = 16

  package init() {}

  /// Whether more directories should be compared.
  package var wantsSamples: Bool { samples < Self.enough && !possible.isEmpty }

  /// Takes in the handle of a directory whose number is known.
  package mutating func learn(_ handle: KernelHandle, inode: UInt64) {
    samples += 1
    possible.removeAll { $0.number(in: handle) != inode }
  }

  /// The inode number of a file; 0 where it is not known.
  package func inode(of handle: KernelHandle) -> UInt64 {
    guard samples > 0, possible.count == 1 else { return 0 }
    return possible[0].number(in: handle) ?? 0
  }
}

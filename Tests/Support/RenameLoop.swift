internal import Glibc
package import SystemPackage

/// Prepared renames for a loop that only calls `renameat(2)`.
@safe
package final class RenameLoop {
  private let pairs: [(old: UnsafeMutablePointer<CChar>?, new: UnsafeMutablePointer<CChar>?)]

  package init(_ pairs: [(String, String)]) {
    unsafe self.pairs = unsafe pairs.map { unsafe (strdup($0.0), strdup($0.1)) }
  }

  deinit {
    unsafe pairs.forEach { pair in
      unsafe free(pair.old)
      unsafe free(pair.new)
    }
  }

  package func run() throws(Errno) {
    for unsafe(old, new) in unsafe pairs {
      guard let old = unsafe old, let new = unsafe new else { continue }
      if unsafe renameat(AT_FDCWD, old, AT_FDCWD, new) == -1 { throw Errno(rawValue: errno) }
    }
  }
}

internal import CLinux
import SystemPackage

extension ExtendedAttribute {
  /// The attribute names of an inode that is open with `O_PATH`.
  static func namesThroughPath(of file: borrowing OwnedDescriptor) throws(Errno) -> [AttributeName] {
    let number = file.number
    var buffer = [CChar](repeating: 0, count: longestList)
    do throws(Errno) {
      let count = unsafe try ProcessPath.with(descriptor: number) { (path) throws(Errno) -> Int in
        try retryingOnInterrupt { unsafe clinux_listxattr(path, &buffer, buffer.count) }
      }
      return buffer.prefix(count).split(separator: 0).map { name in
        AttributeName(bytes: name.map { UInt8(bitPattern: $0) })
      }
    } catch {
      if error == .notSupported { return [] }
      throw error
    }
  }

  /// The longest list of names (`XATTR_LIST_MAX`).
  private static let longestList = 65_536
}

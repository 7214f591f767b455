internal import CLinux
import Glibc
package import SystemPackage
import Synchronization

/// The name of an extended attribute, with its NUL, ready for a system call.
package struct AttributeName: Hashable, Sendable {
  /// The name as text, for instance `user.fsobserver.uuid`.
  package let string: String
  private let storage: ContiguousArray<CChar>

  package init(_ string: String) {
    self.string = string
    storage = ContiguousArray(string.utf8CString)
  }

  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Result) throws(Errno) -> Result {
    try unsafe storage.withUnsafeBufferPointer { (buffer) throws(Errno) -> Result in
      guard let start = buffer.baseAddress else { throw .invalidArgument }
      return try unsafe body(start)
    }
  }
}

/// How an attribute is to be written.
package enum AttributeWriteMode: Sendable {
  /// `XATTR_CREATE`: fails with EEXIST where there is one already.
  case create
  /// Whether there is one or not.
  case set

  fileprivate var flags: CInt {
    switch self {
    case .create: 1  // XATTR_CREATE
    case .set: 0
    }
  }
}

/// Reading and writing one extended attribute of a name in a directory, never following a symbolic link.
///
/// The `*at` system calls exist since Linux 6.13; before that, and where a sandbox forbids them, the same is said through
/// `/proc/self/fd/N/name`.
package enum ExtendedAttribute {
  /// The room that reading takes for the value. A longer value is reported as too long, not as an error.
  package static let longestValue = 64

  /// The outcome of reading an attribute.
  package enum Value: Sendable {
    /// The value is in the buffer, with this length.
    case bytes(count: Int)
    /// There is an attribute, and it does not fit.
    case tooLong
    /// There is none.
    case missing
  }

  private static let hasDirectoryCalls: Bool = {
    // Anything but "no such system call" and a sandbox's refusal shows that the kernel knows the call.
    let result = unsafe clinux_getxattrat(AT_FDCWD, "/", "user.fsobserver.probe", nil, 0)
    return result != -1 || (errno != ENOSYS && errno != EPERM)
  }()

  /// `getxattrat(2)`, or `lgetxattr(2)`.
  package static func read(
    _ attribute: AttributeName, of name: NameView, in directory: borrowing OwnedDescriptor,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Value {
    let parent = directory.number
    do {
      let count = try unsafe attribute.withCString { (attributeName) throws(Errno) -> Int in
        if hasDirectoryCalls {
          return try retryingOnInterrupt {
            unsafe clinux_getxattrat(parent, name.cString, attributeName, buffer.baseAddress, buffer.count)
          }
        }
        let path = ProcessPath(descriptor: parent, name: name)
        return try unsafe path.withCString { (path) throws(Errno) -> Int in
          try retryingOnInterrupt { unsafe clinux_lgetxattr(path, attributeName, buffer.baseAddress, buffer.count) }
        }
      }
      return .bytes(count: count)
    } catch {
      switch error {
      case .noData: return .missing
      case .outOfRange: return .tooLong
      default: throw error
      }
    }
  }

  /// `setxattrat(2)`, or `lsetxattr(2)`.
  package static func write(
    _ value: UnsafeRawBufferPointer, to attribute: AttributeName, of name: NameView,
    in directory: borrowing OwnedDescriptor, mode: AttributeWriteMode
  ) throws(Errno) {
    let parent = directory.number
    _ = try unsafe attribute.withCString { (attributeName) throws(Errno) -> CInt in
      if hasDirectoryCalls {
        return try retryingOnInterrupt {
          unsafe clinux_setxattrat(parent, name.cString, attributeName, value.baseAddress, value.count, mode.flags)
        }
      }
      let path = ProcessPath(descriptor: parent, name: name)
      return try unsafe path.withCString { (path) throws(Errno) -> CInt in
        try retryingOnInterrupt {
          unsafe clinux_lsetxattr(path, attributeName, value.baseAddress, value.count, mode.flags)
        }
      }
    }
  }

  /// `setxattr(2)` of the very inode that is open (`O_PATH` is enough), through `/proc/self/fd/N`.
  package static func write(
    _ value: UnsafeRawBufferPointer, to attribute: AttributeName, of file: borrowing OwnedDescriptor,
    mode: AttributeWriteMode
  ) throws(Errno) {
    let path = ProcessPath(descriptor: file.number)
    _ = try unsafe attribute.withCString { (attributeName) throws(Errno) -> CInt in
      try unsafe path.withCString { (path) throws(Errno) -> CInt in
        try retryingOnInterrupt {
          unsafe clinux_setxattr(path, attributeName, value.baseAddress, value.count, mode.flags)
        }
      }
    }
  }

  /// `removexattrat(2)`, or `lremovexattr(2)`. Says whether there was one.
  package static func remove(
    _ attribute: AttributeName, of name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) -> Bool {
    let parent = directory.number
    do {
      _ = try unsafe attribute.withCString { (attributeName) throws(Errno) -> CInt in
        if hasDirectoryCalls {
          return try retryingOnInterrupt { unsafe clinux_removexattrat(parent, name.cString, attributeName) }
        }
        let path = ProcessPath(descriptor: parent, name: name)
        return try unsafe path.withCString { (path) throws(Errno) -> CInt in
          try retryingOnInterrupt { unsafe clinux_lremovexattr(path, attributeName) }
        }
      }
      return true
    } catch {
      if error == .noData { return false }
      throw error
    }
  }
}

/// The path `/proc/self/fd/N` or `/proc/self/fd/N/name` of something that is open.
struct ProcessPath {
  private var storage: ContiguousArray<CChar>

  init(descriptor: CInt) {
    storage = ContiguousArray("/proc/self/fd/\(descriptor)".utf8CString)
  }

  init(descriptor: CInt, name: NameView) {
    storage = ContiguousArray("/proc/self/fd/\(descriptor)/".utf8CString)
    storage.removeLast()
    unsafe storage.append(contentsOf: unsafe UnsafeBufferPointer(start: name.cString, count: name.count + 1))
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Result) throws(Errno) -> Result {
    try unsafe storage.withUnsafeBufferPointer { (buffer) throws(Errno) -> Result in
      guard let start = buffer.baseAddress else { throw .invalidArgument }
      return try unsafe body(start)
    }
  }
}

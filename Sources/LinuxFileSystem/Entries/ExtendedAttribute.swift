internal import CLinux
import Glibc
package import SystemPackage

/// Reading and writing one extended attribute of a name in a directory, never following a symbolic link; or of an inode
/// that is open.
package enum ExtendedAttribute {
  /// The room that reading takes for the value.
  ///
  /// A longer value is reported as too long, not as an error.
  package static let longestValue = 64

  /// The outcome of reading an attribute.
  package enum Value: Equatable, Sendable {
    /// The value is in the buffer, with this length.
    case bytes(count: Int)
    /// There is an attribute, and it does not fit.
    case tooLong
    /// There is none.
    case missing
  }

  /// `getxattrat(2)`, or `lgetxattr(2)`.
  package static func read(
    _ attribute: AttributeName, of name: NameView, in directory: borrowing OwnedDescriptor,
    into buffer: UnsafeMutableRawBufferPointer, by route: AttributeRoute = .preferred
  ) throws(Errno) -> Value {
    let parent = directory.number
    return try value { () throws(Errno) -> Int in
      unsafe try attribute.withCString { (attributeName) throws(Errno) -> Int in
        switch route {
        case .directoryCalls:
          try retryingOnInterrupt {
            unsafe clinux_getxattrat(parent, name.cString, attributeName, buffer.baseAddress, buffer.count)
          }
        case .processPath:
          unsafe try ProcessPath.with(descriptor: parent, name: name) { (path) throws(Errno) -> Int in
            try retryingOnInterrupt { unsafe clinux_lgetxattr(path, attributeName, buffer.baseAddress, buffer.count) }
          }
        }
      }
    }
  }

  /// `getxattr(2)` of the very inode that is open (`O_PATH` is enough), through `/proc/self/fd/N`.
  package static func read(
    _ attribute: AttributeName, of file: borrowing OwnedDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Value {
    let number = file.number
    return try value { () throws(Errno) -> Int in
      unsafe try attribute.withCString { (attributeName) throws(Errno) -> Int in
        unsafe try ProcessPath.with(descriptor: number) { (path) throws(Errno) -> Int in
          try retryingOnInterrupt { unsafe clinux_getxattr(path, attributeName, buffer.baseAddress, buffer.count) }
        }
      }
    }
  }

  /// Runs a reading call; what may be expected of it is a value, not an error.
  private static func value(_ read: () throws(Errno) -> Int) throws(Errno) -> Value {
    do throws(Errno) {
      return .bytes(count: try read())
    } catch {
      return try value(of: error).get()
    }
  }

  static func value(of error: Errno) -> Result<Value, Errno> {
    switch error {
    case .noData: .success(.missing)
    case .outOfRange: .success(.tooLong)
    default: .failure(error)
    }
  }

  /// `setxattr(2)` of the very inode that is open (`O_PATH` is enough), through `/proc/self/fd/N`.
  package static func write(
    _ value: UnsafeRawBufferPointer, to attribute: AttributeName, of file: borrowing OwnedDescriptor,
    mode: AttributeWriteMode
  ) throws(Errno) {
    let number = file.number
    _ = unsafe try attribute.withCString { (attributeName) throws(Errno) -> CInt in
      unsafe try ProcessPath.with(descriptor: number) { (path) throws(Errno) -> CInt in
        try retryingOnInterrupt {
          unsafe clinux_setxattr(path, attributeName, value.baseAddress, value.count, mode.flags)
        }
      }
    }
  }

  /// `removexattrat(2)`, or `lremovexattr(2)`.
  ///
  /// Says whether there was one.
  package static func remove(
    _ attribute: AttributeName, from name: NameView, in directory: borrowing OwnedDescriptor,
    by route: AttributeRoute = .preferred
  ) throws(Errno) -> Bool {
    let parent = directory.number
    return try wasThere { () throws(Errno) -> CInt in
      unsafe try attribute.withCString { (attributeName) throws(Errno) -> CInt in
        switch route {
        case .directoryCalls:
          try retryingOnInterrupt { unsafe clinux_removexattrat(parent, name.cString, attributeName) }
        case .processPath:
          unsafe try ProcessPath.with(descriptor: parent, name: name) { (path) throws(Errno) -> CInt in
            try retryingOnInterrupt { unsafe clinux_lremovexattr(path, attributeName) }
          }
        }
      }
    }
  }

  /// `removexattr(2)` of the very inode that is open, through `/proc/self/fd/N`.
  ///
  /// Says whether there was one.
  package static func remove(
    _ attribute: AttributeName, from file: borrowing OwnedDescriptor
  ) throws(Errno) -> Bool {
    let number = file.number
    return try wasThere { () throws(Errno) -> CInt in
      unsafe try attribute.withCString { (attributeName) throws(Errno) -> CInt in
        unsafe try ProcessPath.with(descriptor: number) { (path) throws(Errno) -> CInt in
          try retryingOnInterrupt { unsafe clinux_removexattr(path, attributeName) }
        }
      }
    }
  }

  private static func wasThere(_ remove: () throws(Errno) -> CInt) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try remove()
      return true
    } catch {
      if error == .noData { return false }
      throw error
    }
  }
}

internal import CLinux
import Glibc
package import SystemPackage

/// Access to an extended attribute of an open inode, or of a name in a directory without following a symbolic link.
package enum ExtendedAttribute {
  /// The size of the buffer for a value.
  ///
  /// A longer value is reported as too long, and is no error.
  package static let longestValue = 64

  /// The outcome of reading an attribute.
  package enum Value: Equatable, Sendable {
    /// The value is in the buffer, with this length.
    case bytes(count: Int)
    /// The attribute exists, and does not fit.
    case tooLong
    /// The attribute does not exist.
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

  /// `getxattr(2)` of an open inode (`O_PATH` is enough), through `/proc/self/fd/N`.
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

  /// `fgetxattr(2)` of a file that is open for reading: without the path in `/proc`, in half the time.
  package static func read(
    _ attribute: AttributeName, ofReadable file: borrowing OwnedDescriptor,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Value {
    let number = file.number
    return try value { () throws(Errno) -> Int in
      unsafe try attribute.withCString { (attributeName) throws(Errno) -> Int in
        try retryingOnInterrupt { unsafe clinux_fgetxattr(number, attributeName, buffer.baseAddress, buffer.count) }
      }
    }
  }

  /// Runs a reading call, and turns expected errors into values.
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

  /// `setxattr(2)` of an open inode (`O_PATH` is enough), through `/proc/self/fd/N`.
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

  /// `fsetxattr(2)` of a file that is open for reading.
  package static func write(
    _ value: UnsafeRawBufferPointer, to attribute: AttributeName, ofReadable file: borrowing OwnedDescriptor,
    mode: AttributeWriteMode
  ) throws(Errno) {
    let number = file.number
    _ = unsafe try attribute.withCString { (attributeName) throws(Errno) -> CInt in
      try retryingOnInterrupt {
        unsafe clinux_fsetxattr(number, attributeName, value.baseAddress, value.count, mode.flags)
      }
    }
  }

  /// `removexattrat(2)`, or `lremovexattr(2)`.
  ///
  /// Returns whether the attribute existed.
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

  /// `removexattr(2)` of an open inode, through `/proc/self/fd/N`.
  ///
  /// Returns whether the attribute existed.
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

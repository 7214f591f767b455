internal import CLinux
import Glibc
package import SystemPackage

/// A file descriptor with one owner, closed when the owner lets go of it.
///
/// Every descriptor is opened with `O_CLOEXEC`: nothing leaks into a child of the app.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number, valid as long as this value lives.
  package let number: CInt

  /// Takes ownership of a descriptor that a system call returned.
  package init(owning number: CInt) {
    self.number = number
  }

  deinit {
    // The result is not looked at: after close(2) the descriptor is gone, whatever it says.
    _ = Glibc.close(number)
  }
}

extension OwnedDescriptor {
  /// How a directory or file is to be opened.
  package enum Access: Sendable {
    /// For looking up names in it: `O_PATH`, which needs no read permission and which the opened object does not
    /// notice.
    case search
    /// For listing a directory.
    case list
    /// For reading a regular file; never blocks on a FIFO that took its place (`O_NONBLOCK`).
    case read

    fileprivate var flags: CInt {
      switch self {
      case .search: clinux_O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      case .list: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
      case .read: O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
      }
    }
  }

  /// `openat(2)` of one name in a directory, never following a symbolic link.
  package static func open(
    _ name: NameView, in directory: borrowing OwnedDescriptor, for access: Access
  ) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let flags = access.flags
    let number = try retryingOnInterrupt { unsafe clinux_openat(parent, name.cString, flags, 0) }
    return OwnedDescriptor(owning: number)
  }

  /// `openat(2)` of one name with `O_PATH`, whatever kind of object it is: nothing is read, nothing blocks.
  package static func openPath(
    _ name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let number = try retryingOnInterrupt {
      unsafe clinux_openat(parent, name.cString, clinux_O_PATH | O_NOFOLLOW | O_CLOEXEC, 0)
    }
    return OwnedDescriptor(owning: number)
  }

  /// `open(2)` of a directory by its path.
  ///
  /// The path is the caller's own word, so links in it are followed.
  package static func openDirectory(
    at path: FilePath, for access: Access
  ) throws(Errno) -> OwnedDescriptor {
    let flags = access.flags & ~O_NOFOLLOW
    let number = try unsafe path.withCString { (cString) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_openat(AT_FDCWD, cString, flags, 0) }
    }
    return OwnedDescriptor(owning: number)
  }

  /// A second descriptor for listing the same directory, opened anew so that it has a position of its own.
  package borrowing func reopenedForListing() throws(Errno) -> OwnedDescriptor {
    let parent = number
    let number = try retryingOnInterrupt {
      unsafe clinux_openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK, 0)
    }
    return OwnedDescriptor(owning: number)
  }
}

extension OwnedDescriptor {
  /// `read(2)` of a descriptor that does not block: the bytes read; 0 when nothing is there.
  borrowing func readAvailable(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    let number = number
    do {
      return try retryingOnInterrupt { unsafe Glibc.read(number, buffer.baseAddress, buffer.count) }
    } catch {
      if error == .resourceTemporarilyUnavailable { return 0 }
      throw error
    }
  }
}

internal import CLinux
import Glibc
package import SystemPackage

/// A file descriptor with one owner, closed at the end of the owner's life.
///
/// Every descriptor has `O_CLOEXEC`, so that no child of the app inherits it.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number, valid during the life of this value.
  package let number: CInt

  /// Takes ownership of a descriptor that a system call returned.
  package init(owning number: CInt) {
    self.number = number
  }

  deinit {
    // The result does not matter: after close(2) the descriptor is gone in any case.
    _ = Glibc.close(number)
  }
}

extension OwnedDescriptor {
  /// The purpose for which a directory or file is opened.
  package enum Access: Sendable {
    /// For looking up names: `O_PATH`, which needs no read permission and has no effect on the directory.
    case search
    /// For listing a directory.
    case list
    /// For reading a regular file; does not block on a FIFO in its place (`O_NONBLOCK`).
    case read

    fileprivate var flags: CInt {
      switch self {
      case .search: clinux_O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      case .list: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
      case .read: O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
      }
    }
  }

  /// `openat(2)` of a name in a directory, without following a symbolic link.
  package static func open(
    _ name: NameView, in directory: borrowing OwnedDescriptor, for access: Access
  ) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let flags = access.flags
    let number = try retryingOnInterrupt { unsafe clinux_openat(parent, name.cString, flags, 0) }
    return OwnedDescriptor(owning: number)
  }

  /// `openat(2)` with `O_PATH` of an object of any kind: it neither reads nor blocks.
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
  /// The caller chose the path, so that links in it are followed.
  package static func openDirectory(
    at path: FilePath, for access: Access
  ) throws(Errno) -> OwnedDescriptor {
    let flags = access.flags & ~O_NOFOLLOW
    let number = try unsafe path.withCString { (cString) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_openat(AT_FDCWD, cString, flags, 0) }
    }
    return OwnedDescriptor(owning: number)
  }

  /// A second descriptor of the same directory for listing, with its own position.
  package borrowing func reopenedForListing() throws(Errno) -> OwnedDescriptor {
    let parent = number
    let number = try retryingOnInterrupt {
      unsafe clinux_openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK, 0)
    }
    return OwnedDescriptor(owning: number)
  }
}

extension OwnedDescriptor {
  /// `read(2)` of a non-blocking descriptor: the number of bytes; 0 if there are none.
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

internal import CLinux
internal import SystemPackage

/// Whether any process has a file open for writing, found out with a read lease.
///
/// `F_SETLEASE` with `F_RDLCK` fails with EAGAIN while the file is open or mapped for writing (fcntl(2)). It needs the
/// owner or `CAP_LEASE`. A writer that opens the file during the microsecond of the lease waits, or fails with
/// `O_NONBLOCK`: use the probe only in case of doubt.
package enum WriterProbe: Sendable {
  case nobodyWrites
  case beingWritten
  /// Leases do not work here, or another user owns the file.
  case unknown
  /// There was no descriptor or memory: try again.
  case failed

  /// Probes one regular file in a directory.
  package static func of(_ name: NameView, in directory: borrowing OwnedDescriptor) -> WriterProbe {
    of(name, in: directory) { _ in }.writers
  }

  /// Probes one regular file in a directory, and then looks at it while it is open for reading.
  ///
  /// What the last writer wrote before it closed the file shows only after the probe.
  ///
  /// - Returns: Nothing of the look where no regular file could be opened.
  package static func of<Look>(
    _ name: NameView, in directory: borrowing OwnedDescriptor, thenLook look: (borrowing OwnedDescriptor) -> Look
  ) -> (writers: WriterProbe, look: Look?) {
    do {
      let file = try openFile(name, in: directory)
      return (of(file), look(file))
    } catch {
      return (of(error), nil)
    }
  }

  /// Opens a regular file for reading.
  ///
  /// The kind is checked first: opening a FIFO wakes its writer, and opening a device may have any effect.
  private static func openFile(
    _ name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) -> OwnedDescriptor {
    guard try FileStatus.of(name, in: directory).kind == .file else { throw .invalidArgument }
    return try OwnedDescriptor.open(name, in: directory, for: .read)
  }

  /// Probes a file that is open for reading only.
  ///
  /// There is no lease for anything but a regular file (EINVAL).
  package static func of(_ file: borrowing OwnedDescriptor) -> WriterProbe {
    let number = file.number
    do {
      _ = try retryingOnInterrupt { clinux_take_read_lease(number) }
      _ = try retryingOnInterrupt { clinux_release_lease(number) }
      return .nobodyWrites
    } catch {
      return of(error)
    }
  }

  private static func of(_ error: Errno) -> WriterProbe {
    switch error {
    case .resourceTemporarilyUnavailable: .beingWritten
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .ioError: .failed
    default: .unknown
    }
  }
}

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
    do {
      // The kind is checked first: opening a FIFO wakes its writer, and opening a device may have any effect.
      guard try FileStatus.of(name, in: directory).kind == .file else { return .unknown }
      // If something else has taken the name since, there is no lease for it (EINVAL).
      let file = try OwnedDescriptor.open(name, in: directory, for: .read)
      let number = file.number
      _ = try retryingOnInterrupt { clinux_take_read_lease(number) }
      _ = try retryingOnInterrupt { clinux_release_lease(number) }
      return .nobodyWrites
    } catch {
      return switch error {
      case .resourceTemporarilyUnavailable: .beingWritten
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .ioError: .failed
      default: .unknown
      }
    }
  }
}

internal import CLinux
internal import SystemPackage

/// Whether somebody has a file open for writing, found out with a read lease.
///
/// `F_SETLEASE` with `F_RDLCK` is refused with EAGAIN while anyone has the file open for writing, mapped for writing
/// included (fcntl(2)). It needs the owner or `CAP_LEASE`. A writer that opens the file in the microsecond the lease is
/// held waits, or fails where it opens with `O_NONBLOCK`: so the probe is for doubt only.
package enum WriterProbe: Sendable {
  case nobodyWrites
  case beingWritten
  /// Leases do not work here, or the file is another's.
  case unknown
  /// There was no descriptor or no memory for it: it may be asked again.
  case failed

  /// Probes one regular file in a directory.
  package static func of(_ name: NameView, in directory: borrowing OwnedDescriptor) -> WriterProbe {
    do {
      // Looked at first: opening a FIFO wakes its writer, and opening a device may do anything.
      guard try FileStatus.of(name, in: directory).kind == .file else { return .unknown }
      let file = try OwnedDescriptor.open(name, in: directory, for: .read)
      guard try FileStatus.of(file).kind == .file else { return .unknown }
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

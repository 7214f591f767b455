internal import SystemPackage

/// What is known of the file systems on devices; each device is looked up once.
package final class KnownDevices: Sendable {
  private struct Traits: Sendable {
    var changesRemotely: Bool
    var ordersLooks: Bool
  }

  private let known = Mutex<[UInt64: Traits]>([:])

  package init() {}

  /// Whether files in a directory may change without events of this kernel; nothing if that cannot be found out.
  ///
  /// May block if the mount does not answer.
  package func mayChangeRemotely(in directory: DirectoryHandle) -> Bool? { traits(of: directory)?.changesRemotely }

  /// Whether a ``DirectoryBarrier`` in a directory proves anything.
  ///
  /// May block if the mount does not answer.
  package func ordersLooks(in directory: DirectoryHandle) -> Bool { traits(of: directory)?.ordersLooks ?? false }

  private func traits(of directory: DirectoryHandle) -> Traits? {
    guard let device = try? directory.device() else { return nil }
    if let known = known.withLock({ $0[device] }) { return known }
    guard let type = try? FileSystemType.of(directory.descriptor) else { return nil }
    let traits = Traits(changesRemotely: type.changesRemotely(on: device), ordersLooks: type.ordersLooks)
    known.withLock { $0[device] = traits }
    return traits
  }
}

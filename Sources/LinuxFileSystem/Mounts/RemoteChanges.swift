internal import SystemPackage

/// The devices whose files change without events of this kernel.
///
/// Each device is looked up once.
package final class RemoteChanges: Sendable {
  /// By device, whether files there may change remotely.
  private let known = Mutex<[UInt64: Bool]>([:])

  package init() {}

  /// Whether files in a directory may change without events of this kernel; nothing if that cannot be found out.
  ///
  /// May block if the mount does not answer.
  package func mayOccur(in directory: DirectoryHandle) -> Bool? {
    guard let device = try? directory.device() else { return nil }
    if let known = known.withLock({ $0[device] }) { return known }
    guard let type = try? FileSystemType.of(directory.descriptor) else { return nil }
    let mayOccur = type.changesRemotely(on: device)
    known.withLock { $0[device] = mayOccur }
    return mayOccur
  }
}

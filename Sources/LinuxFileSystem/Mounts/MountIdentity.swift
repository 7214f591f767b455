internal import CLinux
package import SystemPackage

/// A mount, told from whatever is mounted at its place later.
package struct MountIdentity: Equatable, Sendable {
  private let path: FilePath
  private let number: MountNumber
  /// The number that no other mount ever has, where the kernel tells it.
  private let uniqueNumber: UInt64?

  /// The mount that is seen at a path; nothing where nothing is mounted there.
  package init?(at path: FilePath) {
    guard let mount = Mount.all().last(where: { $0.path == path }) else { return nil }
    self.path = path
    number = mount.number
    uniqueNumber = Self.uniqueNumber(at: path)
  }

  /// Whether a descriptor was opened through the mount.
  package func contains(_ descriptor: borrowing OwnedDescriptor) -> Bool { MountNumber.of(descriptor) == number }

  /// Whether it is still mounted where it was.
  package var isThere: Bool { MountIdentity(at: path) == self }

  private static func uniqueNumber(at path: FilePath) -> UInt64? {
    var found: UInt64 = 0
    let code = unsafe path.withPlatformString { unsafe clinux_unique_mount_number($0, &found) }
    return code == 0 && found != 0 ? found : nil
  }
}

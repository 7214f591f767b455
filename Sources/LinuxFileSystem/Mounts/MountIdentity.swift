internal import CLinux
package import SystemPackage

/// A mount, distinguishable from any later mount at its place.
package struct MountIdentity: Equatable, Sendable {
  private let path: FilePath
  private let number: MountNumber
  /// The number that is never reused, if the kernel has it.
  private let uniqueNumber: UInt64?

  /// The visible mount at a path; nothing if there is none.
  package init?(at path: FilePath) {
    guard let mount = Mount.all().last(where: { $0.path == path }) else { return nil }
    self.path = path
    number = mount.number
    uniqueNumber = Self.uniqueNumber(at: path)
  }

  /// Whether a descriptor was opened through the mount.
  package func contains(_ descriptor: borrowing OwnedDescriptor) -> Bool { MountNumber.of(descriptor) == number }

  /// Whether it is still mounted at its path.
  package var isThere: Bool { MountIdentity(at: path) == self }

  private static func uniqueNumber(at path: FilePath) -> UInt64? {
    var found: UInt64 = 0
    let code = unsafe path.withPlatformString { unsafe clinux_unique_mount_number($0, &found) }
    return code == 0 && found != 0 ? found : nil
  }
}

internal import CLinux

/// The number of a mount, which the kernel reuses.
package struct MountNumber: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Reads the first word of a line of `/proc/self/mountinfo`.
  init?(_ word: some Collection<UInt8>) {
    guard let number = Int32(String(decoding: word, as: UTF8.self)) else { return nil }
    rawValue = number
  }
}

extension MountNumber {
  /// The mount through which a descriptor was opened; nothing before Linux 5.8.
  package static func of(_ descriptor: borrowing OwnedDescriptor) -> MountNumber? {
    var found: Int32 = 0
    let number = descriptor.number
    guard (try? retryingOnInterrupt({ unsafe clinux_mount_number(number, &found) })) != nil, found != 0 else {
      return nil
    }
    return MountNumber(rawValue: found)
  }
}

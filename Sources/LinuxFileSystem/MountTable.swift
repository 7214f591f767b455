internal import CLinux
import Glibc
package import SystemPackage

/// The number of a mount; the kernel uses it again when that is gone.
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
  /// The mount through which a descriptor was opened; nothing where the kernel (before 5.8) does not tell.
  package static func of(_ descriptor: borrowing OwnedDescriptor) -> MountNumber? {
    var found: Int32 = 0
    let number = descriptor.number
    guard (try? retryingOnInterrupt({ unsafe clinux_mount_number(number, &found) })) != nil, found != 0 else {
      return nil
    }
    return MountNumber(rawValue: found)
  }
}

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

/// What is mounted: of each mount what it is a mount of.
package struct MountTable: Equatable, Sendable {
  private var origins: [MountNumber: [UInt8]] = [:]

  package subscript(mount: MountNumber) -> [UInt8]? { origins[mount] }

  /// Takes apart the lines of `/proc/self/mountinfo`: number, parent, device, root in the file system, where it is, and
  /// more.
  package init(_ text: some Sequence<UInt8>) {
    for line in Array(text).split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
      guard words.count == 5, let number = MountNumber(words[0]) else { continue }
      // Where it is may change, and it is the same mount.
      origins[number] = Array(words[2]) + [UInt8(ascii: " ")] + Array(words[3])
    }
  }

  /// The table of this process.
  ///
  /// Nothing where it cannot be read.
  package init?() {
    guard let text = SmallFile.bytes(of: "/proc/self/mountinfo") else { return nil }
    self.init(text)
  }
}

/// Tells when the table of mounts has changed.
package struct MountChanges: ~Copyable, Sendable {
  /// For `Epoll.addChanges(of:token:)`.
  package let descriptor: OwnedDescriptor

  package init() throws(Errno) {
    let number = try retryingOnInterrupt { unsafe Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
    descriptor = OwnedDescriptor(owning: number)
  }

  /// Whether the table has changed since this was asked last, or since the beginning; also where that cannot be found
  /// out.
  ///
  /// Not for one that an `Epoll` waits for: who is told first takes the news.
  package borrowing func takeNews() -> Bool {
    let number = descriptor.number
    guard let count = try? retryingOnInterrupt({ clinux_poll_urgent(number) }) else { return true }
    return count > 0
  }
}

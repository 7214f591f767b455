internal import SystemPackage

/// The mounts of this process, with the origin of each.
package struct MountTable: Equatable, Sendable {
  private var origins: [MountNumber: [UInt8]] = [:]

  package subscript(mount: MountNumber) -> [UInt8]? { origins[mount] }

  /// Parses the lines of `/proc/self/mountinfo`: number, parent, device, root in the file system, place, and more.
  package init(_ text: some Sequence<UInt8>) {
    for line in Array(text).split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
      guard words.count == 5, let number = MountNumber(words[0]) else { continue }
      // The place is left out: a mount may be moved.
      origins[number] = Array(words[2]) + [UInt8(ascii: " ")] + Array(words[3])
    }
  }

  /// The table of this process.
  ///
  /// Nothing if it cannot be read.
  package init?() {
    guard let text = SmallFile.bytes(of: "/proc/self/mountinfo") else { return nil }
    self.init(text)
  }
}

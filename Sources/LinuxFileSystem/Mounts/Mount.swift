import Glibc
package import SystemPackage

/// A line of `/proc/self/mountinfo`: a mount and its place.
package struct Mount: Equatable, Sendable {
  package var number: MountNumber
  /// The device number of `statx(2)`.
  package var device: UInt64
  package var path: FilePath
  /// The type, with its subtype: `ext4`, `fuse.sshfs`.
  package var type: String
  package var source: String
  package var isReadOnly: Bool

  /// Reads a line (proc_pid_mountinfo(5)).
  package init?(line: some Collection<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: " ")).map { Array($0) }
    guard let dash = fields.firstIndex(of: [UInt8(ascii: "-")]), dash >= 6, fields.count >= dash + 3,
      let number = MountNumber(fields[0])
    else { return nil }
    let numbers = String(decoding: fields[2], as: UTF8.self).split(separator: ":").compactMap { UInt32($0) }
    guard numbers.count == 2 else { return nil }
    self.number = number
    device = UInt64(makedev(numbers[0], numbers[1]))
    path = FilePath(bytes: Self.unescaped(fields[4]))
    type = String(decoding: fields[dash + 1], as: UTF8.self)
    source = String(decoding: Self.unescaped(fields[dash + 2]), as: UTF8.self)
    let options = fields[5] + [UInt8(ascii: ",")] + (fields.count > dash + 3 ? fields[dash + 3] : [])
    isReadOnly = options.split(separator: UInt8(ascii: ",")).contains { Array($0) == Array("ro".utf8) }
  }

  /// Space, tab, newline and backslash are written as three octal digits.
  static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      else {
        result.append(byte)
        continue
      }
      result.append(value)
      rest = rest.dropFirst(3)
    }
    return result
  }

  /// The mounts below a directory, each with the names of its path.
  package static func points(below directory: FilePath) -> [MountNumber: [FileName]] {
    SmallFile.bytes(of: table).map { points(below: directory, in: $0) } ?? [:]
  }

  /// Parsed as bytes, because paths of all mounts cost a hundred times as much, and each change of the table needs
  /// this.
  static func points(below directory: FilePath, in text: [UInt8]) -> [MountNumber: [FileName]] {
    let slash = UInt8(ascii: "/")
    let path = directory.bytes
    let prefix = path.last == slash ? path : path + [slash]
    var points: [MountNumber: [FileName]] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 4, let number = MountNumber(fields[0]) else { continue }
      let place = fields[4].contains(UInt8(ascii: "\\")) ? unescaped(Array(fields[4]))[...] : fields[4]
      guard place.count > prefix.count, place.starts(with: prefix) else { continue }
      points[number] = place.dropFirst(prefix.count).split(separator: slash).map(FileName.init(bytes:))
    }
    return points
  }

  static let table: FilePath = "/proc/self/mountinfo"

  /// The mount on which a path is, as far as no symbolic link leads elsewhere; nothing is accessed.
  package static func holding(_ path: FilePath) -> Mount? {
    // Of several mounts at one place, the last is visible.
    all().filter { path.starts(with: $0.path) }.reduce(nil) { best, mount in
      best.map { mount.path.length >= $0.path.length } ?? true ? mount : best
    }
  }

  /// Whether a call may never return.
  package var mayHang: Bool { MountPoint(number: number, path: path, type: type).mayHang }

  /// All mounts visible to this process.
  package static func all() -> [Mount] {
    guard let bytes = SmallFile.bytes(of: table) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Mount(line: $0) }
  }
}

private func makedev(_ major: UInt32, _ minor: UInt32) -> UInt64 {
  UInt64(minor & 0xff) | UInt64(major & 0xfff) << 8 | UInt64(minor & ~0xff) << 12 | UInt64(major & ~0xfff) << 32
}

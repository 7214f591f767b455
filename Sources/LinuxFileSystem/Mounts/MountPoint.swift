package import SystemPackage

/// A mount that may hang or mount others, and its place.
package struct MountPoint: Equatable, Sendable {
  package var number: MountNumber
  package var path: FilePath
  /// The type, with its subtype: `ext4`, `fuse.sshfs`.
  package var type: String

  package init(number: MountNumber, path: FilePath, type: String) {
    self.number = number
    self.path = path
    self.type = type
  }

  /// Types whose calls another program or host answers, perhaps never.
  private static let uncertain: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "lustre", "gpfs", "ocfs2", "gfs2", "vboxsf",
    "virtiofs", "vmhgfs", "prl_fs", "orangefs",
  ]

  /// Whether a call may never return.
  package var mayHang: Bool {
    Self.uncertain.contains(type) || type == "fuse" || type == "fuseblk" || type.hasPrefix("fuse.")
  }

  /// Whether a look into it mounts something (autofs).
  package var isAutomount: Bool { type == "autofs" }
}

extension MountPoint {
  /// The mounts that may hang, or that mount others on a look; none of them is accessed.
  ///
  /// The shortest paths come first. Of several mounts at one place, the last is visible.
  package static func special() -> [MountPoint] {
    SmallFile.bytes(of: Mount.table).map(special) ?? []
  }

  static func special(in text: [UInt8]) -> [MountPoint] {
    var points: [ArraySlice<UInt8>: MountPoint] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, let number = MountNumber(fields[0]) else { continue }
      let point = type(in: fields[5]).map { MountPoint(number: number, path: "", type: $0) }
      if let point, point.mayHang || point.isAutomount {
        points[fields[4]] = point
      } else {
        points[fields[4]] = nil
      }
    }
    let located = points.map { place, point in
      MountPoint(number: point.number, path: FilePath(bytes: Mount.unescaped(Array(place))), type: point.type)
    }
    return located.sorted { ($0.path.length, $0.number.rawValue) < ($1.path.length, $1.number.rawValue) }
  }

  /// The word after the dash.
  private static func type(in fields: ArraySlice<UInt8>) -> String? {
    let words = fields.split(separator: UInt8(ascii: " "))
    guard let dash = words.firstIndex(where: { $0.elementsEqual([UInt8(ascii: "-")]) }), dash + 1 < words.count else {
      return nil
    }
    return String(decoding: words[dash + 1], as: UTF8.self)
  }
}

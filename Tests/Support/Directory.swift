package import FileSystemObservation
internal import Glibc
package import SystemPackage

/// Listing directories independently of the library.
package enum Directory {
  package struct Entry: Sendable {
    package var name: String
    /// `nil` for a FIFO, socket or device.
    package var kind: FileSystemItem.Kind?
  }

  /// The names in a directory, without `.` and `..`.
  package static func list(_ path: String) throws(Errno) -> [Entry] {
    guard let stream = unsafe opendir(path) else { throw Errno(rawValue: errno) }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while let record = unsafe readdir(stream) {
      let name = unsafe String(cString: nameStart(record))
      if name == "." || name == ".." { continue }
      entries.append(Entry(name: name, kind: unsafe kind(of: CInt(record.pointee.d_type))))
    }
    return entries
  }

  private static func nameStart(_ record: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
    return unsafe UnsafePointer((UnsafeMutableRawPointer(record) + offset).assumingMemoryBound(to: CChar.self))
  }

  private static func kind(of type: CInt) -> FileSystemItem.Kind? {
    switch Int(type) {
    case Int(DT_REG): .file
    case Int(DT_DIR): .directory
    case Int(DT_LNK): .symlink
    default: nil
    }
  }
}

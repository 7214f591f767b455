import LinuxFileSystem
import SystemPackage

/// The file `directorysizes` of a trash folder: how much space each trashed folder takes.
///
/// It spares file managers a walk through the whole trash. Lines that are missing or outdated do no harm: readers
/// compare them with the info files.
struct DirectorySizes {
  private static let fileName = FileName("directorysizes")
  private var lines: [ArraySlice<UInt8>]

  init(bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"))
  }

  var bytes: [UInt8] { lines.flatMap { Array($0) + [UInt8(ascii: "\n")] } }

  /// Sets the line of a folder.
  ///
  /// - Parameter infoModified: The time of the last modification of its info file, in seconds since the epoch.
  mutating func set(_ size: Int64, _ infoModified: Int64, for name: FileName) {
    remove(name)
    lines.append((Array("\(size) \(infoModified) ".utf8) + TrashInfo.encode(Array(name.bytes)))[...])
  }

  /// Removes the line of a folder.
  mutating func remove(_ name: FileName) {
    let encoded = TrashInfo.encode(Array(name.bytes))
    lines.removeAll { $0.split(separator: UInt8(ascii: " "), maxSplits: 2).last.map(Array.init) == encoded }
  }

  /// Changes the file of a trash folder in one step; as far as possible, for nothing depends on it.
  static func update(in trash: DirectoryHandle, _ change: (inout DirectorySizes) -> Void) {
    let former = SmallFile.bytes(of: fileName, in: trash) ?? []
    var sizes = DirectorySizes(bytes: former)
    change(&sizes)
    let bytes = sizes.bytes
    if bytes == former { return }
    var temporary = TemporaryName(in: trash)
    do throws(Errno) {
      let file = try temporary.createFile()
      try file.write(bytes)
      try temporary.publish(replacing: fileName)
    } catch {
      // The file stays as it was.
    }
  }
}

import FileSystemObservation
import Glibc

/// What is on disk, by the system's own calls.
enum Disk {
  /// The paths below the folder of all that is in it, with the sizes of files.
  static func sizes(in folder: FilePath) -> [FilePath: Int64] {
    var sizes: [FilePath: Int64] = [:]
    var rest: [FilePath] = [""]
    while let directory = rest.popLast() {
      for name in names(in: folder.pushing(directory)) {
        let path = directory.appending(name)
        let size = fileSize(folder.pushing(path))
        sizes[path] = size ?? 0
        if size == nil { rest.append(path) }
      }
    }
    return sizes
  }

  private static func names(in directory: FilePath) -> [String] {
    guard let stream = opendir(directory.string) else { fail("cannot list \(directory)") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Nothing for a folder.
  private static func fileSize(_ path: FilePath) -> Int64? {
    var status = stat()
    guard lstat(path.string, &status) == 0 else { fail("cannot look at \(path)") }
    return status.st_mode & S_IFMT == S_IFDIR ? nil : Int64(status.st_size)
  }
}

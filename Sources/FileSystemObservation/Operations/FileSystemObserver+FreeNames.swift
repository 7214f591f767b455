internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// How many names are tried.
  private static var mostNames: Int { 10_000 }

  /// Performs an operation that gives an item a path; if that is taken, gives it the first free name of a naming.
  ///
  /// A name that another program takes at the last moment is passed over, too.
  ///
  /// - Parameters:
  ///   - naming: What the item is called then; `nil` to fail.
  ///   - isFolder: Whether the item is a folder.
  ///   - isTaken: Whether the path itself is taken in any case.
  func atFreePath(
    _ path: FilePath, _ naming: ItemNaming?, isFolder: @autoclosure () -> Bool, isTaken: Bool = false,
    _ operation: (FilePath) throws(FileSystemObserverError) -> Operation
  ) throws(FileSystemObserverError) -> Operation {
    guard let naming, let name = path.lastComponent, name.kind == .regular else { return try operation(path) }
    let folder = path.removingLastComponent()
    var names = naming.names(after: FileName(name), isFolder: isFolder())
    var candidate = isTaken ? folder.appending(bytes: names.next().bytes) : path
    for _ in 1..<Self.mostNames {
      // Looking is cheaper than trying, but for the operation's own checks of the first path.
      if candidate == path || !Self.isTaken(candidate) {
        do throws(FileSystemObserverError) {
          return try operation(candidate)
        } catch {
          guard error.errno == .fileExists else { throw error }
        }
      }
      candidate = folder.appending(bytes: names.next().bytes)
    }
    return try operation(candidate)
  }

  private static func isTaken(_ path: FilePath) -> Bool { (try? FileStatus.of(path: path)) != nil }

  /// Whether there is a folder at a path.
  static func isFolder(_ path: FilePath) -> Bool { (try? FileStatus.of(path: path))?.kind == .directory }
}

import FileSystemObservation
import Glibc
import ObservationTestSupport

/// A test folder with an overlay mounted at the observed place.
final class OverlayFolder {
  let folder: TestFolder
  let lower: Folder
  private let upper: Folder
  private let isLowerInMemory: Bool

  /// - Parameters:
  ///   - options: More options of the mount, each with a comma before it.
  ///   - isLowerInMemory: Whether the layers are on two file systems.
  ///   - prepare: Fills the lower and the upper layer.
  init(
    _ options: String = "", isLowerInMemory: Bool = false, prepare: (_ lower: Folder, _ upper: Folder) throws -> Void
  ) throws {
    folder = try TestFolder("overlay")
    lower = folder.outside.folder("lower")
    upper = folder.outside.folder("upper")
    self.isLowerInMemory = isLowerInMemory
    for name in ["lower", "upper", "work"] { try folder.outside.mkdir(name) }
    if isLowerInMemory { try Command.run("mount", "-t", "tmpfs", "none", lower.path) }
    try prepare(lower, upper)
    let layers = "lowerdir=\(lower.path),upperdir=\(upper.path),workdir=\(folder.outside["work"])"
    try Command.run("mount", "-t", "overlay", "none", "-o", layers + options, folder.watched.path)
  }

  deinit {
    try? Command.run("umount", "-l", folder.watched.path)
    if isLowerInMemory { try? Command.run("umount", "-l", lower.path) }
  }

  /// The paths of all that the upper layer holds.
  func upperPaths() throws -> Set<String> {
    var paths: Set<String> = []
    func walk(_ folder: Folder, _ prefix: String) throws {
      for entry in try Directory.list(folder.path) {
        paths.insert(prefix + entry.name)
        if entry.kind == .directory { try walk(folder.folder(entry.name), prefix + entry.name + "/") }
      }
    }
    try walk(upper, "")
    return paths
  }

  /// Whether a test may mount one where its folders are: tried once.
  static let isPossible = geteuid() == 0 && (try? OverlayFolder { _, _ in }) != nil
}

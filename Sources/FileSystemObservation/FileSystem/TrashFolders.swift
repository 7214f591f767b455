import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The trash folders of the XDG trash specification.
///
/// These are the user's own, those at the top of the tree's file system, and those in the observed directory itself,
/// where file managers make them if they see that as the mount.
///
/// A trashed file is first looked for by its name. Listings are kept for the next file: a full trash is not listed for
/// each.
final class TrashFolders: Sendable {
  private let listings = Mutex<[FilePath: (latest: TrashListing, count: Int)]>([:])

  /// How often a folder has been listed.
  func listingCount(of path: FilePath) -> Int { listings.withLock { $0[path]?.count ?? 0 } }

  /// Those of the inodes that are in a trash folder.
  ///
  /// Only names are listed, and only the folders are opened. Any listing has an inode that began after that was known to
  /// have left.
  func inodes(among questions: [TrashQuestion], root: DirectoryHandle, _ files: HostFileSystem) -> Set<FileKey> {
    let folders = Self.folders(for: root).compactMap { path -> (path: FilePath, folder: DirectoryHandle)? in
      guard let descriptor = try? OwnedDescriptor.openDirectory(at: path, for: .list) else { return nil }
      return (path, DirectoryHandle(descriptor))
    }
    if folders.isEmpty { return [] }
    // All items of a folder have left with it.
    var answers: [FileKey: Bool] = [:]
    for question in questions where answers[question.key] == nil {
      answers[question.key] =
        folders.contains { Self.isAt(question.name, question.key, $0.folder, files) }
        || folders.contains { isListed(question, in: $0.folder, at: $0.path, files) }
    }
    return Set(answers.lazy.filter(\.value).map(\.key))
  }

  private func isListed(
    _ question: TrashQuestion, in folder: DirectoryHandle, at path: FilePath, _ files: HostFileSystem
  ) -> Bool {
    let names = listing(of: folder, at: path, leftBy: question.since)?.names
    return names?[question.key.inode].map { Self.isAt($0, question.key, folder, files) } ?? false
  }

  private static func isAt(
    _ name: FileName, _ key: FileKey, _ folder: DirectoryHandle, _ files: HostFileSystem
  ) -> Bool {
    name.withView { (try? files.status(of: $0, in: folder)).map(FileKey.init) == key }
  }

  private func listing(of folder: DirectoryHandle, at path: FilePath, leftBy since: MonotonicTime) -> TrashListing? {
    guard let status = try? FileStatus.of(folder.descriptor) else { return nil }
    if let known = listings.withLock({ $0[path]?.latest }), known.isComplete(for: since, status) { return known }
    var fresh = TrashListing(status, at: .now, wallClock: WallClock.nanoseconds)
    try? DirectoryReader().forEachEntry(of: folder.descriptor) { name, _, inode in fresh.names[inode] = FileName(name) }
    let listing = fresh
    listings.withLock { $0[path] = (listing, ($0[path]?.count ?? 0) + 1) }
    return listing
  }

  /// The user's own trash folder.
  static var own: FilePath {
    let data = UserEnvironment.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
    return (data ?? UserEnvironment.home.appending(".local/share")).appending("Trash/files")
  }

  /// Whether a path is in a trash folder of this user, by its names.
  static func has(_ path: FilePath) -> Bool {
    if path != own, path.starts(with: own) { return true }
    let (names, folders) = (path.components.map(\.string), namesAtTop)
    return names.indices.contains { index in
      folders.contains { names.count - index > $0.count && names[index...].starts(with: $0) }
    }
  }

  /// The names of the user's trash folders at the top of a file system.
  private static var namesAtTop: [[String]] {
    let user = UserEnvironment.userID
    return [[".Trash-\(user)", "files"], [".Trash", "\(user)", "files"]]
  }

  private static func folders(for root: DirectoryHandle) -> [FilePath] {
    var folders = [own]
    let observed = FilePath.ofOpen(root.descriptor)
    for top in [observed, observed.map { mountTop(of: $0, root) }].compactMap({ $0 }) {
      for names in namesAtTop { folders.append(top.appending(names.joined(separator: "/"))) }
    }
    return folders
  }

  /// The topmost directory on the same device.
  private static func mountTop(of observed: FilePath, _ root: DirectoryHandle) -> FilePath {
    var path = observed
    guard let device = try? FileStatus.of(root.descriptor).device else { return path }
    while !path.components.isEmpty {
      let parent = path.removingLastComponent()
      guard let status = try? FileStatus.of(path: parent), status.device == device else { break }
      path = parent
    }
    return path
  }
}

/// The contents of a trash folder when it was listed.
struct TrashListing: Sendable {
  /// The names, by inode number.
  var names: [UInt64: FileName] = [:]
  private let key: FileKey
  private let modified: Int64
  private let began: MonotonicTime
  /// Whether any later change gives the folder another time; file systems round their times to this.
  private let isFinal: Bool
  private static let granularity: Int64 = 2_000_000_000

  init(_ status: FileStatus, at began: MonotonicTime, wallClock: Int64) {
    key = FileKey(status)
    modified = status.modified
    self.began = began
    isFinal = WallClock.interval(from: status.modified, to: wallClock) > Self.granularity
  }

  /// Whether the listing has everything that had left the tree by a time.
  ///
  /// Either the listing was made later, or the folder has not changed since.
  func isComplete(for since: MonotonicTime, _ status: FileStatus) -> Bool {
    guard FileKey(status) == key else { return false }
    return since <= began || isFinal && status.modified == modified
  }
}

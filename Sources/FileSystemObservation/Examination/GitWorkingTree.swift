import LinuxFileSystem
import SystemPackage

/// A working tree of git, in which a tag makes a file look changed unless git is set to ignore the ctime.
///
/// No program is run: only git's plain files are read.
struct GitWorkingTree: Equatable {
  /// The folder that contains `.git`.
  var path: FilePath
  /// The value of `core.trustctime`; true if it is not set, as in git.
  var trustsChangeTimes: Bool

  /// Makes the working tree with its root at a path; `nil` if there is none.
  init?(at path: FilePath) {
    let dotGit = path.appending(".git")
    guard let status = try? FileStatus.of(path: dotGit), let folder = Self.gitFolder(dotGit, status.kind) else {
      return nil
    }
    self.path = path
    let files = Self.sharedConfigurations + [Self.commonFolder(of: folder).appending("config")]
    let values = files.compactMap { Self.text(of: $0).flatMap(GitConfiguration.trustsChangeTimes) }
    trustsChangeTimes = values.last ?? true
  }

  /// The nearest working tree above a folder, without the folder itself.
  static func above(_ path: FilePath) -> GitWorkingTree? {
    var path = path
    while path.lastComponent != nil {
      path.removeLastComponent()
      if let found = GitWorkingTree(at: path) { return found }
    }
    return nil
  }

  /// The folder of git's data: `.git`, or for submodules and linked working trees the folder named in that file.
  private static func gitFolder(_ path: FilePath, _ kind: FileKind) -> FilePath? {
    switch kind {
    case .directory: return path
    case .file:
      let prefix = "gitdir: "
      guard let text = text(of: path), text.hasPrefix(prefix) else { return nil }
      return resolve(text.dropFirst(prefix.count), from: path.removingLastComponent())
    case .symlink, .special: return nil
    }
  }

  /// The folder with the configuration that linked working trees share.
  private static func commonFolder(of folder: FilePath) -> FilePath {
    text(of: folder.appending("commondir")).map { resolve($0[...], from: folder) } ?? folder
  }

  private static func resolve(_ text: some StringProtocol, from folder: FilePath) -> FilePath {
    folder.pushing(FilePath(String(text.prefix { !$0.isNewline })))
  }

  /// The configurations of the machine and of the user; later ones take precedence.
  private static var sharedConfigurations: [FilePath] {
    let home = UserEnvironment.home
    let user = UserEnvironment.variable("XDG_CONFIG_HOME").map { FilePath($0) } ?? home.appending(".config")
    return ["/etc/gitconfig", user.appending("git/config"), home.appending(".gitconfig")]
  }

  /// Reads only regular files: opening a FIFO would block.
  private static func text(of path: FilePath) -> String? {
    guard (try? FileStatus.of(path: path, followingLink: true).kind) == .file else { return nil }
    return SmallFile.text(of: path)
  }
}

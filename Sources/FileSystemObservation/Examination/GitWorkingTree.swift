import LinuxFileSystem
import SystemPackage

/// A working tree of git: there a tag makes a file look changed, unless git is told not to look at the ctime.
///
/// No program is run: what stands in git's own files is read, as far as it is plain.
struct GitWorkingTree: Equatable {
  /// The folder that `.git` is in.
  var path: FilePath
  /// The value of `core.trustctime`; as git has it, it is true where nothing is set.
  var trustsChangeTimes: Bool

  /// Whether there is a working tree right here.
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

  /// The nearest working tree that a folder is in, the folder itself not counted.
  static func above(_ path: FilePath) -> GitWorkingTree? {
    var path = path
    while path.lastComponent != nil {
      path.removeLastComponent()
      if let found = GitWorkingTree(at: path) { return found }
    }
    return nil
  }

  /// `.git` is the folder itself, or, for submodules and further working trees, a file that says where it is.
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

  /// Where the configuration is of which several working trees have one.
  private static func commonFolder(of folder: FilePath) -> FilePath {
    text(of: folder.appending("commondir")).map { resolve($0[...], from: folder) } ?? folder
  }

  private static func resolve(_ text: some StringProtocol, from folder: FilePath) -> FilePath {
    folder.pushing(FilePath(String(text.prefix { !$0.isNewline })))
  }

  /// The configurations of the machine and of the user; what comes later counts more.
  private static var sharedConfigurations: [FilePath] {
    let home = UserEnvironment.home
    let user = UserEnvironment.variable("XDG_CONFIG_HOME").map { FilePath($0) } ?? home.appending(".config")
    return ["/etc/gitconfig", user.appending("git/config"), home.appending(".gitconfig")]
  }

  /// Nothing that is no regular file is opened: a FIFO would have to be waited for.
  private static func text(of path: FilePath) -> String? {
    guard (try? FileStatus.of(path: path, followingLink: true).kind) == .file else { return nil }
    return SmallFile.text(of: path)
  }
}

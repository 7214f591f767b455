internal import CTestSystem
import LinuxFileSystem
package import SystemPackage

/// Operations that not every file system permits.
package enum Ability: String, CaseIterable, Sendable {
  case tags
  case hardLinks = "hard links"
  case symbolicLinks = "symbolic links"
  case exchange = "exchange of names"
  case unnamedFiles = "files without a name"
  case modes = "permissions of single files"

  /// The operations that the file system of the test folders refuses, and the errors; tried once.
  package static let refusals: [Ability: Errno] = {
    guard let folder = try? TestFolder("abilities"), (try? folder.watched.write("a")) != nil else { return [:] }
    var refusals: [Ability: Errno] = [:]
    for ability in allCases {
      do throws(Errno) {
        try ability.attempt(in: folder.watched)
      } catch {
        refusals[ability] = error
      }
    }
    return refusals
  }()

  /// Whether the file system of the test folders permits it.
  package var isPossible: Bool { Self.refusals[self] == nil }

  /// Whether writers of a file can be detected there.
  ///
  /// If not, a file whose closing was not seen is finished after it has rested for seconds.
  package static let detectsWriters: Bool = {
    guard let folder = try? TestFolder("writers"),
      let directory = try? OwnedDescriptor.openDirectory(at: FilePath(folder.watched.path), for: .search),
      let type = try? FileSystemType.of(directory), let status = try? FileStatus.of(directory)
    else { return true }
    return !type.changesRemotely(on: status.device)
  }()

  private func attempt(in folder: Folder) throws(Errno) {
    switch self {
    case .tags: try folder.setAttribute("user.fsobserver.probe", of: "a", to: "value")
    case .hardLinks: try folder.link("a", "link")
    case .symbolicLinks: try folder.symlink("a", "symlink")
    case .exchange:
      try folder.write("b")
      try folder.exchange("a", "b")
    case .unnamedFiles: try folder.openUnnamed().link(to: folder["named"])
    case .modes:
      try folder.chmod("a", 0o600)
      if try folder.status("a").mode & 0o777 != 0o600 { throw .notSupported }
    }
  }
}

extension Errno {
  /// Its name, for instance `EPERM`.
  package var name: String {
    unsafe ctest_error_name(rawValue).map { unsafe String(cString: $0) } ?? "error \(rawValue)"
  }
}

internal import CTestSystem
internal import FileTestSupport
internal import Glibc
package import SystemPackage

/// Two folders of one test, on a real disk and on one file system, removed with this object.
///
/// They are made under `FSO_TEST_DIR`, or else under `.build` of the current directory, or else in the home folder. A
/// place in memory (tmpfs) is used only if it is named.
///
/// With `FSO_KEEP_FOLDERS` they stay, and must be removed after all tests: without a journal, ext4 reuses no inode
/// number for minutes, and checks every recently removed file whenever it makes another. In many tests that remove
/// their files, this took most of the time.
package final class TestFolder: Sendable {
  /// The observed folder.
  package let watched: Folder
  /// A folder beside it, for moves from outside and to there.
  package let outside: Folder
  private let base: ScratchFolder

  /// - Parameter place: The parent folder, if not the usual one.
  package init(_ label: String = "test", in place: String? = nil) throws(Errno) {
    let parent = if let place { place } else { try Self.parent() }
    let name = String(label.filter { $0.isLetter || $0.isNumber }.prefix(40))
    base = try ScratchFolder(in: FilePath(parent), named: name, stays: Environment["FSO_KEEP_FOLDERS"] != nil)
    watched = Folder(base.path("watched").string)
    outside = Folder(base.path("outside").string)
    try watched.makeDirectory()
    try outside.makeDirectory()
  }

  /// The parent folder for all tests.
  ///
  /// The observer gets real paths: symbolic links on the way are resolved here.
  private static func parent() throws(Errno) -> String {
    if let named = Environment["FSO_TEST_DIR"] { return try usable(named) }
    let build = ".build"
    if Folder(build).isWritableOnDisk { return try usable("\(build)/test-folders") }
    return try usable("\(Environment["HOME"] ?? "/var/tmp")/.fso-test-folders")
  }

  private static func usable(_ path: String) throws(Errno) -> String {
    try Folder(path).makeDirectoryIfMissing()
    guard let real = unsafe realpath(path, nil) else { throw Errno(rawValue: errno) }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

extension Folder {
  /// Whether the folder is writable, and on a disk.
  fileprivate var isWritableOnDisk: Bool {
    let tmpfs: Int64 = 0x0102_1994
    return unsafe access(path, W_OK) == 0 && ctest_file_system_type(path) != tmpfs
  }
}

/// Environment variables.
package enum Environment {
  package static subscript(name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

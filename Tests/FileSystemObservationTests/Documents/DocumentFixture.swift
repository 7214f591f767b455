import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import SystemPackage

/// A folder with one document that carries all that a file can carry.
struct DocumentFixture {
  static let uuid = UUIDBits(high: 0x8075_c88f_f44b_57c2, low: 0xb3f2_e3a1_d7e8_4e13)
  static let oldContents = Array("the old contents".utf8)
  static let newContents = [UInt8](repeating: 0x6e, count: 100_000)
  static let accessList = AccessControlList.lettingRead(user: 12345)

  /// The steps of the replacement of a document.
  static let replaceSteps: [DocumentOperations.Step] = [
    .createFile, .writeContents, .carryOwner, .carryAttributes, .writeTag, .carryPermissions, .synchronizeFile,
    .publish, .synchronizeFolder,
  ]
  /// The steps of the duplication of a document.
  static let duplicateSteps: [DocumentOperations.Step] = [
    .createFile, .writeContents, .carryAttributes, .writeTag, .carryPermissions, .synchronizeFile, .checkItem,
    .publish, .synchronizeFolder,
  ]

  let folder: ScratchFolder
  let path: FilePath

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("document.txt")
    try PlainFiles.write(Self.oldContents, to: path)
    try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: Array(Self.uuid.description.utf8))
    try PlainFiles.setAttribute("user.author", of: path, to: Array("Ada".utf8))
    try PlainFiles.setAttribute("user.empty", of: path, to: [])
    try PlainFiles.setAttribute(AccessControlList.access, of: path, to: Self.accessList)
  }

  /// The tag of a file as text; nil where there is none.
  static func tag(of path: FilePath) throws -> String? {
    try PlainFiles.attribute(FileTag.defaultName, of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What is to survive a failure, the inode included.
  struct Snapshot: Equatable {
    var contents: [UInt8]
    var inode: UInt64
    var mode: UInt32
    var owner: [UInt32]
    var tag: String?
    var author: [UInt8]?
    var accessList: [UInt8]?
    var names: [String]
  }

  func snapshot() throws -> Snapshot {
    let status = try PlainFiles.status(of: path)
    return Snapshot(
      contents: try PlainFiles.read(path), inode: UInt64(status.st_ino), mode: status.st_mode,
      owner: [status.st_uid, status.st_gid], tag: try Self.tag(of: path),
      author: try PlainFiles.attribute("user.author", of: path),
      accessList: try PlainFiles.attribute(AccessControlList.access, of: path), names: folder.names())
  }
}

extension DocumentOperations {
  init(failingBefore step: Step, with error: Errno) {
    self.init(tag: FileTag()) { (reached) throws(Errno) in
      if reached == step { throw error }
    }
  }
}

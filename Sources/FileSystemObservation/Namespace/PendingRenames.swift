import FileEvents
import FileIdentity
import LinuxFileSystem

/// Renames whose second half has not come, by cookie, with an index by file.
///
/// The second half of a rename to an unobserved directory never comes. But the file may be renamed from there.
struct PendingRenames: Sendable {
  private var table: [UInt32: PendingRename] = [:]
  /// The cookies of the last renames of files that the source has named.
  private var cookies: [FileHandle: UInt32] = [:]

  var isEmpty: Bool { table.isEmpty }
  var count: Int { table.count }

  subscript(cookie: UInt32) -> PendingRename? { table[cookie] }

  mutating func insert(_ pendingRename: PendingRename, _ cookie: UInt32) {
    remove(cookie)
    table[cookie] = pendingRename
    if let file = pendingRename.file { cookies[file.handle] = cookie }
  }

  @discardableResult
  mutating func remove(_ cookie: UInt32) -> PendingRename? {
    guard let pendingRename = table.removeValue(forKey: cookie) else { return nil }
    if let file = pendingRename.file, cookies[file.handle] == cookie { cookies[file.handle] = nil }
    return pendingRename
  }

  /// Removes the last rename of a file.
  mutating func remove(of file: HintedFile) -> PendingRename? { cookies[file.handle].flatMap { remove($0) } }

  func checkInvariants(_ report: inout InvariantReport) {
    for (handle, cookie) in cookies {
      report.expect(table[cookie]?.file?.handle == handle, "the rename \(cookie) is not one of its file")
    }
  }
}

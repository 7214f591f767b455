import FileSystemObservation
import Foundation
import SystemPackage
import Testing

@testable import BrowserModel

/// Which of the folders that were opened before a folder is.
@Suite struct FolderMatchTests {
  private let letters = UUID()
  private let photos = UUID()

  private func known(_ id: Int64, _ uuid: UUID, _ path: FilePath) -> KnownFolder {
    KnownFolder(id: id, uuid: uuid, path: path, cursor: nil, lastSeen: nil)
  }

  private func match(
    _ uuid: UUID, _ path: FilePath, among folders: [KnownFolder], where there: [FilePath: UUID] = [:]
  ) -> Int64? {
    FolderPlace(uuid: uuid, path: path).match(among: folders) { there[$0] }?.id
  }

  @Test func theSameUUIDAtTheSamePathIsTheSame() {
    #expect(match(letters, "/a", among: [known(1, photos, "/a"), known(2, letters, "/a")]) == 2)
  }

  @Test func aMovedFolderIsTheSame() {
    #expect(match(letters, "/b", among: [known(1, letters, "/a")]) == 1)
    #expect(match(letters, "/b", among: [known(1, letters, "/a")], where: ["/a": photos]) == 1)
  }

  @Test func aCopyIsAnother() {
    #expect(match(letters, "/b", among: [known(1, letters, "/a")], where: ["/a": letters]) == nil)
  }

  @Test func anotherAtTheSamePathIsAnother() {
    #expect(match(photos, "/a", among: [known(1, letters, "/a")]) == nil)
  }
}

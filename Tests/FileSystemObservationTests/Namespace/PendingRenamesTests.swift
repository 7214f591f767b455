import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Renames whose other half is still to come, or never comes.
struct PendingRenamesTests {
  private static let file = HintedFile(handle: FileHandle(digest: Digest(high: 1, low: 1)), inode: 1)

  private static func rename(of name: String, _ file: HintedFile? = nil) -> PendingRename {
    PendingRename(.unknown, of: file, from: Place(parent: .root, name: FileName(name)), in: .empty)
  }

  private static func brokenInvariants(_ renames: PendingRenames) -> [String] {
    var report = InvariantReport()
    renames.checkInvariants(&report)
    return report.violations
  }

  @Test func theSecondHalfHasTheCookie() {
    var renames = PendingRenames()
    renames.insert(Self.rename(of: "a"), 1)
    renames.insert(Self.rename(of: "b", Self.file), 2)
    let second = renames.remove(2)
    #expect(second?.place.name == FileName("b") && renames[2] == nil && renames.count == 1)
    let again = renames.remove(of: Self.file)
    #expect(again == nil && Self.brokenInvariants(renames) == [])
  }

  @Test func theLastRenameOfAFileIsFoundByTheFile() {
    var renames = PendingRenames()
    renames.insert(Self.rename(of: "a", Self.file), 1)
    renames.insert(Self.rename(of: "b", Self.file), 2)
    // The first one's time is over.
    renames.remove(1)
    #expect(Self.brokenInvariants(renames) == [])
    let last = renames.remove(of: Self.file)
    #expect(last?.place.name == FileName("b") && renames.isEmpty)
  }

  @Test func aCookieThatIsUsedAgainIsThatOfTheLaterRename() {
    var renames = PendingRenames()
    renames.insert(Self.rename(of: "a", Self.file), 1)
    renames.insert(Self.rename(of: "b"), 1)
    let former = renames.remove(of: Self.file)
    #expect(former == nil && renames[1]?.place.name == FileName("b"))
    #expect(Self.brokenInvariants(renames) == [])
  }
}

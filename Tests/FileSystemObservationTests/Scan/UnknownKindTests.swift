import FileEvents
import FileIdentity
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Some file systems list names and do not say what they are: then patterns for directories wait until that has been
/// looked at.
@Suite(.light) struct UnknownKindTests {
  @Test func whatIsExcludedIsSkippedWhenItsKindIsKnown() throws {
    let folder = try TestFolder()
    for name in ["build", "x"] { try folder.watched.mkdir(name) }
    for name in ["a.md", "b.txt"] { try folder.watched.write(name) }
    let files = HostFileSystem(tag: FileTag())
    let included = try PathPatternList(["*.md", "build"])
    let filter = ItemFilter(excluded: try PathPatternList(["build/"]), included: included)
    let scanner = DirectoryScanner(files: files, source: try InotifySource(), filter: filter, writesTags: false)
    let root = try files.openRoot(at: FilePath(folder.watched.path))
    var maker = ListingMaker(scanner: scanner, directory: root, number: 0, level: -1, path: [])
    for name in ["build", "x", "a.md", "b.txt"] {
      FileName(name).withView { view in
        let isWanted = maker.wants(view, .unknown)
        #expect(isWanted, "\(name) may be a folder, or a file that is included")
        let status = Result { () throws(Errno) in try files.status(of: view, in: root) }
        #expect(maker.visit(view, status, .none) == nil)
      }
    }
    let names = maker.listing.entries.map { FileName(bytes: maker.listing.nameBytes(of: $0)).description }
    #expect(names == ["x", "a.md"] && maker.listing.skipped == [.excluded: 2])
  }
}

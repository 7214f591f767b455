import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// Which source of the kernel marks a directory.
@Suite(.timeLimit(.minutes(10)))
struct WatchPoolTests {
  private func marks(
    _ choice: WatchPool.Choice, _ paths: FilePath...
  ) throws -> [MarkID] {
    let source = WatchPool(choice)
    return try paths.map { path in
      try source.mark(DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .search)), for: .departures)
    }
  }

  @Test func theChosenSourceIsUsed() throws {
    let folder = try ScratchFolder()
    #expect(try marks(.inotify, folder.path).allSatisfy { !$0.isOfFanotify })
    #expect(try marks(.fanotify, folder.path).allSatisfy { $0.isOfFanotify })
    #expect(try marks(.automatic, folder.path).allSatisfy { $0.isOfFanotify })
  }
}

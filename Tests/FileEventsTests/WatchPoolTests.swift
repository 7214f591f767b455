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

  @Test(arguments: [.automatic, .fanotify, .inotify] as [WatchPool.Choice])
  func hintsOfAllSourcesAreNumberedInOneOrder(_ choice: WatchPool.Choice) throws {
    let folder = try ScratchFolder()
    let sequencer = HintSequencer()
    let source = WatchPool(choice, sequencer)
    let numbers = Mutex<[(first: UInt64, next: UInt64)]>([])
    sequencer.deliver { batch in numbers.withLock { $0.append((batch.first, batch.next)) } }
    try source.start()
    defer { source.stop() }
    let directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
    let mark = try source.mark(directory, for: .entriesWithoutAttributes)
    for number in 0..<50 {
      try PlainFiles.write([], to: folder.path("\(number)"))
      source.deliverPending()
    }
    let told = numbers.withLock { $0 }
    #expect(told.first?.first == 0)
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.next == $1.first })
    #expect(told.last?.next == sequencer.delivered)
    #expect(sequencer.delivered >= 50)
    source.unmark(mark, of: directory)
    source.unmark(mark, of: nil)
  }
}

import FileTestSupport
import LinuxFileSystem
import Synchronization
import SystemPackage
import Testing

@testable import FileEvents

/// Looks at names that others change, between two drains of the kernel's queue.
@Suite(.serialized) struct DirectoryBarrierTests {
  private static let names = (0..<4).map { "n\($0)" }

  /// Works on a few names until it is told to stop.
  private static func work(in folder: FilePath, until isDone: borrowing Atomic<Bool>, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    while !isDone.load(ordering: .relaxed) {
      let one = folder.appending(names.randomElement(using: &random) ?? "n0")
      let other = folder.appending(names.randomElement(using: &random) ?? "n1")
      switch Int.random(in: 0..<3, using: &random) {
      case 0: try? PlainFiles.write([], to: one)
      case 1: try? PlainFiles.remove(one)
      default: try? PlainFiles.rename(one, to: other)
      }
    }
  }

  /// What the hints say of the names; `nil` where their order is not known.
  private struct Known {
    private var isPresent: [FileName: Bool] = [:]

    subscript(name: FileName) -> Bool? { isPresent[name] }

    mutating func follow(_ hints: [Hint]) {
      for hint in hints {
        guard let name = hint.name else { continue }
        let isOrdered = hint.traits.isDisjoint(with: [.unordered, .look])
        if !isOrdered {
          isPresent[name] = nil
        } else if !hint.kinds.isDisjoint(with: [.created, .movedTo]) {
          isPresent[name] = hint.kinds.isDisjoint(with: [.removed, .movedFrom]) ? true : nil
        } else if !hint.kinds.isDisjoint(with: [.removed, .movedFrom]) {
          isPresent[name] = false
        }
      }
    }
  }

  private final class Stop: Sendable {
    let isDone = Atomic(false)
  }

  /// After a barrier, what was seen agrees with the hints, unless one of that name has come meanwhile.
  @Test(arguments: ContractSource.kernel) func aLookBeforeABarrierAgreesWithTheHints(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    let directory = try contract.open("a")
    guard KnownDevices().ordersLooks(in: directory) else { return }
    let (stop, path) = (Stop(), contract.folder.path("a"))
    let worker = try NativeThread(name: "worker") { Self.work(in: path, until: stop.isDone, seed: 7) }
    defer {
      stop.isDone.store(true, ordering: .relaxed)
      worker.join(until: .now + 20_000_000_000)
    }
    var (known, valid, wrong) = (Known(), 0, 0)
    for look in 0..<8_000 {
      let name = FileName(Self.names[look % Self.names.count])
      contract.source.deliverPending()
      known.follow(contract.collector.takeAll())
      let isThere = name.withView { (try? FileStatus.of($0, in: directory.descriptor)) != nil }
      #expect(DirectoryBarrier.pass(in: directory))
      contract.source.deliverPending()
      let later = contract.collector.takeAll()
      if let told = known[name], !later.contains(where: { $0.name == name }) {
        valid += 1
        if told != isThere { wrong += 1 }
      }
      known.follow(later)
    }
    #expect(wrong == 0 && valid > 100, "\(wrong) of \(valid) looks are wrong")
  }

  @Test func aFileSystemOfAProgramProvesNothing() {
    #expect(!FileSystemType.fuse.ordersLooks && FileSystemType.overlay.ordersLooks)
  }
}

import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// Numbers, barriers, losses, and the end.
extension EventSourceContractTests {
  /// The thread of the source and this one both deliver.
  @Test(arguments: ContractSource.possible) func hintsAreNumberedWithoutAGap(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    for number in 0..<100 {
      try contract.write("a/\(number)")
      contract.source.deliverPending()
    }
    try contract.awaitBarrier()
    let batches = contract.collector.batches
    #expect(batches.first?.first == 0)
    #expect(batches.allSatisfy { $0.next == $0.first + UInt64($0.count) && $0.next > $0.first })
    #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.next == $1.first })
    #expect(batches.last?.next == contract.source.delivered)
    #expect(contract.source.delivered >= 100)
  }

  /// What happened before the call is delivered when it returns.
  @Test(arguments: ContractSource.kernel) func whatIsPendingIsDelivered(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    let before = contract.collector.entryCount
    for number in 1...500 {
      try contract.makeFolder("a/\(number)")
      contract.source.deliverPending()
      try #require(contract.collector.entryCount - before == number)
      try #require(contract.source.delivered >= UInt64(number))
    }
  }

  /// Whoever decides that something is gone waits for the horizon of the moment at which it was missing.
  @Test(arguments: ContractSource.possible) func theHorizonCoversWhatHappenedBefore(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    try contract.write("a/file")
    let moment = MonotonicTime.now
    try contract.awaitBarrier()
    let horizon = try #require(contract.source.horizon(since: moment))
    #expect(horizon <= contract.source.delivered)
    #expect(kind.polls == (horizon > 0), "only who looks needs a horizon")
    #expect(contract.collector.contains { $0.name == FileName("file") })
  }

  @Test(arguments: ContractSource.possible) func whereNothingIsMarkedTheHorizonIsKnown(_ kind: ContractSource) throws {
    #expect(try kind.make().horizon(since: .now) == 0)
  }

  /// Nobody reads while the queue fills.
  @Test(arguments: ContractSource.kernel) func aLossIsDeliveredAndHintsGoOn(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["outside/file"])
    guard let limit = kind.queueLimit, limit < 60_000 else { try Test.cancel("the queue is too long to be filled") }
    contract.source.stop()
    let file = contract.folder.path("outside/file")
    for number in 0...limit { try PlainFiles.makeLink(at: contract.folder.path("a/\(number)"), to: file) }
    contract.source.deliverPending()
    #expect(contract.collector.hasOverflowed)
    #expect(contract.collector.batches.last?.next == contract.source.delivered)
    _ = contract.collector.takeAll()
    try contract.start()
    try contract.write("b/file")
    #expect(try contract.hints().say(.created, of: "file", in: contract.b))
  }

  @Test(arguments: ContractSource.possible)
  func nothingIsDeliveredAfterStopAndItCanStartAgain(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    contract.source.stop()
    contract.source.stop()
    try contract.write("a/file")
    #expect(!contract.collector.contains { $0.name == FileName("file") })
    try contract.start()
    #expect(try contract.collector.take(until: "file").last?.directory == contract.a)
  }

  @Test(arguments: ContractSource.possible) func itCanBeStoppedFromSeveralThreads(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    let (source, folder) = (contract.source, contract.folder)
    let isDone = Mutex(false)
    let writer = try NativeThread(name: "writer") {
      var number = 0
      while !isDone.withLock({ $0 }) {
        try? PlainFiles.write([], to: folder.path("a/\(number % 100)"))
        number += 1
      }
    }
    try contract.collector.await { $0.name != nil }
    let threads = try (0..<4).map { _ in try NativeThread(name: "stopping") { source.stop() } }
    for thread in threads { thread.join() }
    let delivered = source.delivered
    isDone.withLock { $0 = true }
    writer.join()
    try contract.write("a/end")
    #expect(source.delivered == delivered)
    try contract.start()
    _ = try contract.collector.take(until: "end")
  }

  /// Counted in a process of its own, because other tests open descriptors at the same time; with room for those that
  /// the runtime opens once.
  @Test(arguments: ContractSource.possible) func descriptorsAreGivenBack(_ kind: ContractSource) async {
    await #expect(processExitsWith: .success) { [kind = kind as ContractSource] in
      func descriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) != -1 } }
      let before = descriptors()
      for _ in 0..<20 {
        let source = try kind.make()
        try source.start { _ in }
        source.stop()
      }
      exit(descriptors() < before + 20 ? 0 : 1)
    }
  }
}

import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// A long scan says how far it has come.
@Suite(.light) struct ScanProgressTests {
  private func progress(_ recorder: Recorder) -> [FileSystemObserver.ScanProgress] {
    recorder.entries.compactMap { if case .scanProgress(let progress) = $0.event { progress } else { nil } }
  }

  private func begin(interval: Duration) async throws -> (FileSystemObserver, Recorder, TestFolder) {
    let folder = try TestFolder()
    for number in 0..<40 {
      try folder.watched.mkdir("d\(number)")
      for file in 0..<5 { try folder.watched.write("d\(number)/\(file)") }
    }
    var configuration = FileSystemObserver.Configuration(directory: FilePath(folder.watched.path))
    configuration.progressInterval = interval
    let observer = FileSystemObserver(configuration)
    let recorder = Recorder(observer)
    try await observer.start()
    await observer.synchronize()
    return (observer, recorder, folder)
  }

  @Test func itCountsUpToWhatIsThere() async throws {
    let (observer, recorder, folder) = try await begin(interval: .zero)
    let reports = progress(recorder)
    #expect(!reports.isEmpty)
    #expect(reports.map(\.itemCount) == reports.map(\.itemCount).sorted())
    #expect(reports.last.map { $0.itemCount <= 240 } == true)
    #expect(reports.allSatisfy { $0.reason == .start && $0.awaitedDirectoryCount <= 41 })
    let scan = try #require(recorder.scans.first)
    #expect(scan.itemCount == 240)
    await observer.stop()
    withExtendedLifetime(folder) {}
  }

  @Test func aShortScanSaysNothing() async throws {
    let (observer, recorder, folder) = try await begin(interval: .seconds(3600))
    #expect(progress(recorder).isEmpty)
    await observer.stop()
    withExtendedLifetime(folder) {}
  }
}

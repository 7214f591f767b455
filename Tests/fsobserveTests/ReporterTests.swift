import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import fsobserve

/// What becomes of notifications that seldom come.
@Suite struct ReporterTests {
  /// What is told of events, one after the other.
  private func told(_ events: [FileSystemObserver.Event], _ style: Reporter.Style = Reporter.Style()) throws -> [String]
  {
    let written = Mutex<[[UInt8]]>([])
    var lines = LineBuffer(JSONLinesFormat()) { bytes in written.withLock { $0.append(bytes) } }
    var reporter = Reporter(style)
    return try events.map { event in
      try reporter.report(event, to: &lines)
      try lines.flush()
      return written.withLock { all in
        defer { all = [] }
        return String(decoding: all.joined(), as: UTF8.self)
      }
    }
  }

  @Test func aRescanIsToldAsAScan() throws {
    #expect(
      try told([.reset(FileSystemSnapshot(directory: "/T"), .fellBehind)]) == [
        """
        {"seq":0,"kind":"willBeginFullScan","reason":"fellBehind","reset":true,"format":1}
        {"seq":0,"kind":"didCompleteFullScan","items":0,"seconds":0.000}

        """
      ])
  }

  @Test func theEndIsADiagnosticUnlessItWasTold() throws {
    let error = FileSystemObserverError(code: .rootLost, message: "gone", path: "/T")
    let line = #"{"seq":0,"kind":"diagnostic","message":"gone","path":"/T","code":"rootLost","format":1}"# + "\n"
    #expect(try told([.didEnd(error)]) == [line])
    let diagnostic = FileSystemObserver.Diagnostic(code: .rootLost, message: "gone", path: "/T", errno: nil)
    #expect(try told([.diagnostic(diagnostic), .didEnd(error)]) == [line, ""])
  }

  private func change(_ event: FileSystemChange.Event, _ path: FilePath, _ uuid: UUID) -> FileSystemChange {
    FileSystemChange(event, FileSystemItem.Snapshot(uuid: uuid, relativePath: path, directory: "/T"))
  }

  /// One file is told of wherever it goes, and so is what comes to its place.
  @Test func oneFileIsFollowed() throws {
    let (file, other) = (UUID(), UUID())
    let new = FileSystemChange.Event.discovered(isCopying: false, isReturned: false)
    let steps: [[FileSystemChange]] = [
      [change(new, "b", other), change(new, "a", file)], [change(.renamed(from: "/T/a"), "c", file)],
      [change(.modified, "b", other)], [change(.modified, "c", file)], [change(.deleted(.removed), "c", file)],
      [change(.renamed(from: "/T/b"), "a", other)], [change(.modified, "a", other)],
    ]
    let events = steps.map { FileSystemObserver.Event.didChange(FileSystemChanges($0, directory: "/T")) }
    let lines = try told(events, Reporter.Style(file: "/T/a"))
    #expect(lines.map { $0.split(separator: "\n").count } == [1, 1, 0, 1, 1, 1, 1])
    #expect(lines[0].contains(file.uuidString.lowercased()) && lines[6].contains(other.uuidString.lowercased()))
  }
}

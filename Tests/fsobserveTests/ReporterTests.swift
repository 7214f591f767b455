import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import fsobserve

/// What becomes of notifications that seldom come.
@Suite struct ReporterTests {
  private func text(_ lines: [UInt8]) -> String { String(decoding: lines, as: UTF8.self) }

  @Test func aRescanIsToldAsAScan() {
    var reporter = Reporter(JSONLinesFormat())
    #expect(
      text(reporter.lines(for: .reset(FileSystemSnapshot(directory: "/T"), .fellBehind))) == """
        {"seq":0,"kind":"willBeginFullScan"}
        {"seq":0,"kind":"didCompleteFullScan","items":0,"seconds":0.000}

        """)
  }

  @Test func theEndIsADiagnosticUnlessItWasTold() {
    let error = FileSystemObserverError(code: .rootLost, message: "gone", path: "/T")
    let line = #"{"seq":0,"kind":"diagnostic","message":"gone","path":"/T"}"# + "\n"
    var reporter = Reporter(JSONLinesFormat())
    #expect(text(reporter.lines(for: .didEnd(error))) == line)
    let diagnostic = FileSystemObserver.Diagnostic(code: .rootLost, message: "gone", path: "/T", errno: nil)
    #expect(text(reporter.lines(for: .diagnostic(diagnostic))) == line)
    #expect(reporter.lines(for: .didEnd(error)) == [])
  }
}

import FileSystemObservation
import SystemPackage

/// A flight recording that was read: its head, and the lines of each step.
package struct FlightText: Sendable {
  /// One step, and what was noted during it.
  package struct Step: Sendable {
    package var begin: RecordedLine
    package var lines: [RecordedLine] = []
  }

  /// Why a text is no recording that can be replayed.
  package struct Unusable: Error, CustomStringConvertible {
    package var description: String
  }

  var settings: RecordedLine
  var root: RecordedLine
  private var patterns: [RecordedLine] = []
  package private(set) var steps: [Step] = []
  package var areNamesHidden: Bool
  package var hasOwnNamePatterns: Bool { patterns.contains { $0.kind == "namePatterns" } }

  /// Reads the first recording of a text.
  package init(_ text: String) throws(Unusable) {
    var lines = text.split(separator: "\n").compactMap { RecordedLine($0) }[...]
    guard let head = lines.popFirst(), head.kind == "recording", head["version"] == "1" else {
      throw Unusable(description: "this is no flight recording of version 1")
    }
    guard head["beginning"] == "complete" else {
      throw Unusable(
        description: "the beginning was overwritten, so that the state at the first record is not known; "
          + "record anew, and end soon after the wrong change")
    }
    areNamesHidden = head["names"] == "hidden"
    let body = lines.prefix { $0.kind != "recording" }
    let settings = body.first { $0.kind == "settings" }
    guard let settings, let root = body.first(where: { $0.kind == "root" }) else {
      throw Unusable(description: "the head of the recording is not complete")
    }
    (self.settings, self.root) = (settings, root)
    patterns = body.filter { $0.kind == "pattern" || $0.kind == "namePatterns" }
    for line in body where line.number != nil { append(line) }
    if steps.isEmpty { throw Unusable(description: "nothing was recorded") }
  }

  private mutating func append(_ line: RecordedLine) {
    if line.kind == "step" {
      steps.append(Step(begin: line))
    } else if !steps.isEmpty {
      steps[steps.count - 1].lines.append(line)
    }
  }

  /// The patterns of a kind.
  func patterns(_ kind: String) -> [String] {
    patterns.filter { $0["kind"] == kind }.map {
      String(decoding: RecordedName.bytes($0["text"].utf8) ?? [], as: UTF8.self)
    }
  }

  var path: FilePath { FilePath(String(decoding: root.path, as: UTF8.self)) }
}

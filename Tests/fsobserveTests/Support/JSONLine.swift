import FileTestSupport
import Foundation
import Testing

/// One line of `--format jsonl`, read by a parser that is not ours.
struct JSONLine {
  let members: [String: Any]

  init(_ line: String) throws {
    members = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  var kind: String { text("kind") }
  var path: String { text("path") }
  var uuid: String { text("uuid") }

  func text(_ key: String) -> String { members[key] as? String ?? "" }
  func number(_ key: String) -> Int { (members[key] as? NSNumber)?.intValue ?? -1 }

  /// The bytes of the path, whichever way the line gives them.
  var pathBytes: [UInt8] {
    (members["pathBase64"] as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array(path.utf8)
  }
}

/// Makes lines comparable: UUIDs are numbered as they appear, the folder has a fixed name, no time was spent, and
/// sizes, times and cursors are left out.
struct Normalizer {
  private let folder: String
  private var names: [Substring: String] = [:]

  init(_ folder: ScratchFolder) {
    self.folder = folder.string
  }

  mutating func callAsFunction(_ line: String) -> String {
    let pattern = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
    var text = line.replacing(folder, with: "/T").replacing(/"seconds":[0-9.]+/, with: "\"seconds\":0")
      .replacing(/,"size":[0-9]+,"modified":[0-9]+\.[0-9]{9},"identity":"tag"/, with: "")
      .replacing(/,"time":[0-9]+\.[0-9]{9}/, with: "").replacing(/,"cursor":"[0-9a-f-]+"/, with: "")
    for match in line.matches(of: pattern) {
      let name = names[match.output.0] ?? "U\(names.count + 1)"
      names[match.output.0] = name
      text = text.replacing(match.output.0, with: name)
    }
    return text
  }
}

import Foundation
import SystemPackage
import Testing

/// What one application did, as recorded.
struct Recording: Decodable, Sendable, CustomTestStringConvertible {
  struct Item: Decodable, Sendable {
    var type: String
    var size: Int
    var uuid: UUID?
    var nlink: Int?
  }

  struct Operation: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
      case create, tmpfile, linktmp, open, write, close, rename, exchange, link, symlink, unlink, mkdir, rmdir, chmod
      case copytag, movein, moveout
    }

    var ms: Double
    var op: Kind
    var path: String
    var to: String?
    var size: Int?
    var mode: String?
    var target: String?
    var tag: UUID?
  }

  struct Truth: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
      case modified, duplicated, copied, renamed, moved, deleted, trashed
      case newFile = "new-file-completed"
      case duplicatedFolder = "duplicated-folder"
      case movedOver = "moved-over"
      case copiedOver = "copied-over"
      case movedOut = "moved-out"
      case movedIn = "moved-in"
      case savedAs = "saved-as"
      case savedAsOver = "saved-as-over"
      case swap = "renamed-swap"
    }

    var kind: Kind
    var document: String?
    var from: String?
    var to: String?
    var a: String?
    var b: String?
  }

  var `case`: String
  var truth: Truth
  var carriesTag: Bool
  var before: [String: Item]
  var after: [String: Item]
  var operations: [Operation]

  var testDescription: String { `case` }
}

extension Recording {
  /// All recordings, by name.
  static let all: [Recording] = {
    let folder = Bundle.module.resourceURL?.appending(path: "Recordings")
    let files =
      (try? folder.map { try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }) ?? []
    return files.filter { $0.pathExtension == "json" }.compactMap { file in
      try? JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
    }.sorted { $0.case < $1.case }
  }()

  /// Names of new files that come and go so fast that nobody is to be told of them.
  var fleetingNames: Set<String> {
    var born: [String: Double] = [:]
    var fleeting: Set<String> = []
    for operation in operations {
      switch operation.op {
      case .create, .mkdir, .symlink: born[operation.path] = operation.ms
      case .linktmp: born[operation.to ?? ""] = operation.ms
      case .unlink, .rmdir, .rename, .moveout:
        guard let start = born.removeValue(forKey: operation.path) else { continue }
        if operation.op == .rename { born[operation.to ?? ""] = operation.ms }
        if operation.ms - start < 900 { fleeting.insert(operation.path) } else { fleeting.remove(operation.path) }
      default: break
      }
    }
    return fleeting.filter { before[$0] == nil && after[$0] == nil }
  }
}

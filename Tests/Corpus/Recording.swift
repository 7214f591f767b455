package import Foundation

/// What one application did, as recorded.
package struct Recording: Decodable, Sendable {
  package struct Item: Decodable, Sendable {
    package var type: String
    package var size: Int
    package var uuid: UUID?
    package var nlink: Int?
    package var target: String?
  }

  package struct Operation: Decodable, Sendable {
    package enum Kind: String, Decodable, Sendable {
      case create, tmpfile, linktmp, open, write, close, rename, exchange, link, symlink, unlink, mkdir, rmdir, chmod
      case copytag, movein, moveout
    }

    package var ms: Double
    package var op: Kind
    package var path: String
    package var to: String?
    package var size: Int?
    package var mode: String?
    package var target: String?
    package var tag: UUID?
  }

  package struct Truth: Decodable, Sendable {
    package enum Kind: String, Decodable, Sendable {
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

    package var kind: Kind
    package var document: String?
    /// Where the same is true of several.
    package var documents: [String]?
    package var from: String?
    package var to: String?
    package var a: String?
    package var b: String?
  }

  package var `case`: String
  package var truth: Truth
  package var carriesTag: Bool
  package var before: [String: Item]
  package var after: [String: Item]
  package var operations: [Operation]
}

extension Recording {
  /// Where the recordings of this project are.
  package static var folder: String? { Bundle.module.resourceURL?.appending(path: "Recordings").path }

  /// All recordings of this project, by name; none if one of them cannot be read.
  package static let all: [Recording] = (try? folder.map { try recordings(in: $0) }) ?? []

  /// The recordings in a folder, by name.
  ///
  /// - Throws: What is wrong with the folder, or with a recording.
  package static func recordings(in folder: String) throws -> [Recording] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    return try names.sorted().map { name in
      let file = URL(filePath: folder).appending(path: name)
      do {
        return try JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
      } catch {
        throw Malformed(file: file.path, reason: "\(error)")
      }
    }
  }

  /// A recording that cannot be read.
  package struct Malformed: Error, CustomStringConvertible {
    var file: String
    var reason: String
    package var description: String { "\(file): \(reason)" }
  }
}

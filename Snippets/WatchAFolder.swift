// Says what happens to the documents of a folder, until it is interrupted.
//
//     swift run WatchAFolder /home/me/Documents

import FileSystemObservation

@main struct WatchAFolder {
  // snippet.watch
  static func main() async throws {
    let path = CommandLine.arguments.dropFirst().first ?? "/home/me/Documents"
    let observer = FileSystemObserver(directory: FilePath(path))
    do { try await observer.start() } catch { return print(error) }
    for try await event in observer.events() {
      switch event {
      case .didCompleteFullScan(let summary): print("The folder has \(summary.itemCount) items.")
      case .didChange(let changes) where !changes.isFirstScan: for change in changes { print(sentence(for: change)) }
      case .diagnostic(let diagnostic): print("Note: \(diagnostic.message)")
      default: break
      }
    }
  }
  // snippet.end

  // snippet.sentence
  static func sentence(for change: FileSystemChange) -> String {
    let document = "\(change.item.relativePath) (\(change.uuid.uuidString.prefix(8)))"
    return switch change.event {
    case .discovered(isCopying: true, isReturned: _): "\(document) begins to arrive"
    case .discovered: "\(document) is new"
    case .copyFinished: "\(document) is complete: \(change.item.size) bytes"
    case .modified: "\(document) was saved"
    case .renamed(let old): "\(document) was called \(old.lastComponent?.string ?? "")"
    case .moved(let old): "\(document) was at \(old)"
    case .duplicated(let original): "\(document) is a copy of \(original.path)"
    case .deleted(let reason): "\(document) is gone: \(reason)"
    default: "\(document): \(change.kind)"
    }
  }
  // snippet.end
}

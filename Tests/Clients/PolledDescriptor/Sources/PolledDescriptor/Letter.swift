import FileSystemObservation
import FoundationEssentials

/// A letter that is renamed, saved and deleted, each when the change before has been told.
final class Letter {
  private(set) var isDeleted = false
  private let path: FilePath
  private let renamed: FilePath
  private var uuid: UUID?
  private var kinds: [FileSystemChange.Kind] = [.renamed, .modified, .deleted]

  init(in folder: FilePath) {
    path = folder.appending("letter.txt")
    renamed = folder.appending("to Ada.txt")
    write("Dear Ada", to: path)
  }

  func take(_ event: FileSystemObserver.Event) {
    print(event)
    switch event {
    case .didChange(let changes) where uuid == nil: uuid = changes.first { $0.path == path }?.uuid
    case .didCompleteFullScan: begin()
    case .didChange(let changes): if let uuid { changes[uuid].forEach(next) }
    case .didEnd(let error): fail("\(error)")
    default: break
    }
  }

  private func begin() {
    check(uuid != nil, "the scan has not told of \(path)")
    rename(path, to: renamed)
  }

  private func next(_ change: FileSystemChange) {
    check(change.kind == kinds.first && change.path == renamed, "not as it was done: \(change)")
    kinds.removeFirst()
    switch change.kind {
    case .renamed: write("Dear Ada, how are you?", to: renamed)
    case .modified: remove(renamed)
    default: isDeleted = true
    }
  }
}

import FileSystemObservation
import FoundationEssentials

/// A letter that is renamed, saved and deleted, each when the change before has been told.
@MainActor final class Letter {
  private let path: FilePath
  private let renamed: FilePath
  private let end: @MainActor () -> Void
  private var uuid: UUID?
  private var kinds: [FileSystemChange.Kind] = []

  init(in folder: FilePath, end: @escaping @MainActor () -> Void) {
    path = folder.appending("letter.txt")
    renamed = folder.appending("to Ada.txt")
    self.end = end
    write("Dear Ada", to: path)
  }

  func take(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    print(event)
    switch event {
    case .didCompleteFullScan: begin(observer)
    case .didChange(let changes): if let uuid { changes[uuid].forEach(next) }
    case .didEnd(let error): fail("\(error)")
    default: break
    }
  }

  private func begin(_ observer: FileSystemObserver) {
    uuid = observer[path]?.uuid
    check(uuid != nil, "the scan has not found \(path)")
    kinds = [.renamed, .modified, .deleted]
    rename(path, to: renamed)
  }

  private func next(_ change: FileSystemChange) {
    check(change.kind == kinds.first && change.path == renamed, "not as it was done: \(change)")
    kinds.removeFirst()
    switch change.kind {
    case .renamed: write("Dear Ada, how are you?", to: renamed)
    case .modified: remove(renamed)
    default: startAgain()
    }
  }

  private func startAgain() {
    write("Dear Ada", to: path)
    uuid = nil
    end()
  }
}

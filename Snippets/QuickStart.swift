import Dispatch
import FileSystemObservation
import FoundationEssentials

let observer = FileSystemObserver(directory: URL(filePath: "/home/me/Documents"))

// Keep the token as long as you want to be told.
let token = observer.addNotificationBlock { _, notification in
  guard case .didChange(let changeSet) = notification else { return }
  for change in changeSet.changes {
    switch change.kind {
    case .renamed, .moved: print("\(change.uuid) is now at \(change.path)")
    case .duplicated: print("\(change.path) is a copy of \(change.originalPath ?? "")")
    case .deleted: print("\(change.uuid) is gone")
    default: print("\(change.kind): \(change.path)")
    }
  }
}
try observer.start()
withExtendedLifetime(token) { dispatchMain() }

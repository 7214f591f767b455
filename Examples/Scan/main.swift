import Dispatch
import FileSystemObservation
import FoundationEssentials

let observer = FileSystemObserver(directory: URL(filePath: CommandLine.arguments[1]))
let token = observer.addNotificationBlock { observer, notification in
  switch notification {
  case .willBeginFullScan(let r): print("will", r)
  case .didCompleteFullScan(let s): print("did", s)
  case .didChange(let set):
    for c in set.changes.prefix(2000) { print(set.sequence, c.kind, c.uuid.uuidString.prefix(8), c.path, c.previousPath.map{"from \($0)"} ?? "", c.isCopying ? "copying":"", c.reason.map{"\($0)"} ?? "", c.originalPath.map{"of \($0)"} ?? "", c.identityKind) }
  case .mustRescan(let i): print("rescan", i.count)
  case .diagnostic(let d): print("diag", d.message)
  case .didEnd(let e): print("end", e); 
  }
}
try observer.start()
dispatchMain()

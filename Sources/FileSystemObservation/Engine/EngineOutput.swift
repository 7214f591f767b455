import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What the engine tells whoever drives it.
package enum EngineOutput: Sendable {
  case willScan(FileSystemObserver.ScanReason)
  case didScan(FileSystemObserver.ScanSummary)
  case progress(FileSystemObserver.ScanProgress)
  /// The items of the first scan: no record is made for them, they are read from the snapshot.
  case discovered(FirstInventory, sequence: UInt64)
  case changes(ScopedLog, GraphStorage?, sequence: UInt64)
  /// What some listeners want to know besides; the tree is as after the set with this number.
  case details([Detail], sequence: UInt64)
  case diagnostic(FileSystemObserver.Diagnostic)
  /// The observed directory is gone; the engine has nothing more to do until it is back.
  case rootLost(FileSystemObserverError)
  /// The observed directory has another path; what follows is below that.
  case rootMoved(from: FilePath, to: FilePath)
}

/// What the first scan found: the entries in the order to tell them, and which of them are copies of which.
package struct FirstInventory: Sendable {
  var storage: GraphStorage
  var order: [NodeID]
  var originals: [NodeID: NodeID]
  /// Entries that are further names of others.
  var furtherNames: Set<NodeID>
  /// Documents that may have been saved while nobody looked.
  var saves: [UnseenSave] = []
  /// Entries that were renamed while the scan went on: of their places in the order the last counts.
  var renamed: Set<NodeID> = []

  /// Puts everything in order: a copy of a copy is a copy of the original, and each entry is told once.
  mutating func settle() {
    resolveOriginals()
    guard !renamed.isEmpty else { return }
    var told: Set<NodeID> = []
    order = order.reversed().filter { !renamed.contains($0) || told.insert($0).inserted }.reversed()
    renamed = []
  }

  /// Where each file was found older than the one before, the first is a copy of a copy of as many others: each is gone
  /// through once.
  private mutating func resolveOriginals() {
    var resolved: Set<NodeID> = []
    for (copy, first) in originals where !resolved.contains(copy) {
      var way = [copy]
      var original = first
      // Not for ever, should some be copies of each other.
      for _ in 0..<originals.count {
        guard let next = originals[original], next != copy else { break }
        if !resolved.contains(original) { way.append(original) }
        original = next
      }
      for file in way where file != original { originals[file] = original }
      resolved.formUnion(way)
    }
  }
}

import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What the engine passes on for the listeners.
package enum EngineOutput: Sendable {
  case willScan(FileSystemObserver.ScanReason)
  case didScan(FileSystemObserver.ScanSummary)
  case progress(FileSystemObserver.ScanProgress)
  /// The items of the first scan. They have no records; listeners read them from the snapshot.
  case discovered(FirstInventory, sequence: UInt64)
  case changes(ScopedLog, GraphStorage?, sequence: UInt64)
  /// Attributes, activity and properties; the tree is as after the change set with this number.
  case details([Detail], sequence: UInt64)
  case diagnostic(FileSystemObserver.Diagnostic)
  /// The observed directory is gone. The engine does nothing more until it is back.
  case rootLost(FileSystemObserverError)
  /// The observed directory has another path; later paths are below that.
  case rootMoved(from: FilePath, to: FilePath)
}

/// What the first scan found: the entries in the order of announcement, and which are copies of which.
package struct FirstInventory: Sendable {
  var storage: GraphStorage
  var order: [NodeID]
  /// Whether the order has only the entries of a scope.
  var isPart = false
  var originals: [NodeID: NodeID]
  /// Entries that are further names of other entries.
  var furtherNames: Set<NodeID>
  /// Documents that may have been saved while no observer was running.
  var saves: [UnseenSave] = []
  /// Entries that were renamed during the scan: their last place in the order counts.
  var renamed: Set<NodeID> = []

  /// Resolves copies of copies to their originals, and leaves each entry in the order once.
  mutating func settle() {
    resolveOriginals()
    guard !renamed.isEmpty else { return }
    var kept: Set<NodeID> = []
    order = order.reversed().filter { !renamed.contains($0) || kept.insert($0).inserted }.reversed()
    renamed = []
  }

  /// Resolves copies of copies, and visits each once: a chain may be as long as there are files.
  private mutating func resolveOriginals() {
    var resolved: Set<NodeID> = []
    for (copy, first) in originals where !resolved.contains(copy) {
      var way = [copy]
      var original = first
      // A limit, in case of a cycle of copies.
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

import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What the engine tells whoever drives it.
package enum EngineOutput: Sendable {
  case willScan(ScanReason)
  case didScan(ScanSummary)
  /// The items of the first scan: no record is made for them, they are read from the snapshot.
  case discovered(FirstInventory, sequence: UInt64)
  case changes(ChangeLog, GraphStorage?, sequence: UInt64)
  case diagnostic(Diagnostic)
  /// The observed directory is gone; the engine has nothing more to do until it is back.
  case rootLost(ObservationError)
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

  /// A copy of a copy is a copy of the original.
  mutating func resolveOriginals() {
    for (copy, first) in originals {
      var original = first
      while let next = originals[original], next != copy { original = next }
      originals[copy] = original
    }
  }
}

import LinuxFileSystem

@testable import FileSystemObservation

/// What the tests of single tables share.
enum PendingTables {
  static let directory = NodeID(index: 10)

  static func place(_ name: String, in directory: NodeID = directory) -> Place {
    Place(parent: directory, name: FileName(name))
  }

  /// The invariants that a check finds broken.
  static func violations(_ check: (inout InvariantReport) -> Void) -> [String] {
    var report = InvariantReport()
    check(&report)
    return report.violations
  }
}

import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

// Operations of the program that recorded.

extension OwnOperation {
  /// The operation of a step; `nil` if the recording does not have it.
  init?(_ step: FlightText.Step) {
    guard let begins = step.operation("begins") else { return nil }
    self.init(
      from: step.operation("source")?.operationPlace, to: step.operation("destination")?.operationPlace,
      isMaking: begins.isSet("makes"), isReplacing: begins.isSet("replaces"), isBringing: begins.isSet("brings"),
      reason: DeletionReason(rawValue: begins["reason"]))
  }
}

extension CommittedItem {
  /// What the system calls of an operation have made, as it was recorded in a step.
  ///
  /// - Throws: The error of the system calls; `canceled` if the recording ends before them.
  init(_ step: FlightText.Step) throws(Errno) {
    if let failed = step.operation("failed") { throw Errno(rawValue: failed.number("error")) }
    guard let line = step.operation("committed") else { throw .canceled }
    var originals: [UUIDBits: UUIDBits] = [:]
    for copy in step.lines where copy.kind == "operation" && copy["part"] == "copy" {
      if let uuid = copy.uuid("uuid"), let original = copy.uuid("original") { originals[uuid] = original }
    }
    self.init(key: line.key, originals: originals, isMovedByCopying: line.isSet("movedByCopying"))
  }
}

extension FlightText.Step {
  /// The line of a part of an operation.
  func operation(_ part: String) -> RecordedLine? {
    lines.first { $0.kind == "operation" && $0["part"] == part }
  }

  /// Whether an operation's system calls were made in this step.
  var commits: Bool { operation("committed") != nil || operation("failed") != nil }
}

extension RecordedLine {
  fileprivate var operationPlace: OperationPlace {
    OperationPlace(path.split(separator: UInt8(ascii: "/")).map { FileName(bytes: Array($0)) }, in: key)
  }

  fileprivate var key: FileKey? {
    guard let inode: UInt64 = optional("inode") else { return nil }
    return FileKey(device: number("device"), inode: inode, born: number("born"))
  }
}

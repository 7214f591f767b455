import FileIdentity
import LinuxFileSystem
import SystemPackage

// Notes of the operations of this process.

extension FlightRecorder {
  /// The bits of `flags` of an operation.
  enum OperationFlags {
    static let isMaking: UInt16 = 1
    static let isBringing: UInt16 = 1 << 1
    static let hasReason: UInt16 = 1 << 2
    static let isReplacing: UInt16 = 1 << 3
    static let hasKey: UInt16 = 1
    static let isMovedByCopying: UInt16 = 1 << 1
  }

  func note(_ operation: OwnOperation) {
    let flags =
      (operation.isMaking ? OperationFlags.isMaking : 0) | (operation.isBringing ? OperationFlags.isBringing : 0)
      | (operation.reason == nil ? 0 : OperationFlags.hasReason)
      | (operation.isReplacing ? OperationFlags.isReplacing : 0)
    note(.begins, flags: flags, number: UInt32(operation.reason?.index ?? 0))
    if let source = operation.source { note(.source, at: source) }
    if let destination = operation.destination { note(.destination, at: destination) }
  }

  func note(_ item: CommittedItem) {
    let flags =
      (item.key == nil ? 0 : OperationFlags.hasKey) | (item.isMovedByCopying ? OperationFlags.isMovedByCopying : 0)
    note(.committed, flags: flags) { if let key = item.key { $0.store(key) } }
    for (copy, original) in item.originals {
      note(.copy) { slot in
        slot.store(copy)
        slot[0] = original.high
        slot[1] = original.low
      }
    }
  }

  func noteFailedOperation(_ error: Errno) {
    note(.failed) { $0.setSigned(0, Int64(error.rawValue)) }
  }

  func noteEndedOperation() { note(.ended) }

  private func note(
    _ part: FlightOperation, flags: UInt16 = 0, number: UInt32 = 0, _ fill: (AtomicWords.Slot) -> Void = { _ in }
  ) {
    keep(.operation, code: part.rawValue, flags: flags, number: number, fill)
  }

  private func note(_ part: FlightOperation, at place: OperationPlace) {
    let path = place.names.map(\.bytes).joined(separator: [UInt8(ascii: "/")])
    let flags = place.directory == nil ? 0 : OperationFlags.hasKey
    keep(.operation, code: part.rawValue, flags: flags, named: Array(path).span) { slot in
      if let key = place.directory { slot.store(key) }
    }
  }
}

// MARK: - As text

extension FlightRecording {
  static func operationLine(_ record: FlightRecord) -> String {
    let part = FlightOperation(rawValue: record.code)
    let line = "operation part=\(part.map { "\($0)" } ?? "?")"
    typealias Flags = FlightRecorder.OperationFlags
    func field(_ name: String, _ bit: UInt16) -> String { record.flags & bit == 0 ? "" : " \(name)=yes" }
    switch part {
    case .begins:
      let reasons = DeletionReason.allCases
      let reason = reasons[min(Int(record.number), reasons.count - 1)]
      return line + field("makes", Flags.isMaking) + field("replaces", Flags.isReplacing)
        + field("brings", Flags.isBringing)
        + (record.flags & Flags.hasReason == 0 ? "" : " reason=\(reason)")
    case .committed:
      return line + field("movedByCopying", Flags.isMovedByCopying)
        + (record.flags & Flags.hasKey == 0 ? "" : " \(key(record))")
    case .copy:
      return line + " uuid=\(uuid(record)) original=\(UUIDBits(high: record.payload[0], low: record.payload[1]).text)"
    case .failed: return line + " error=\(record.signed(0))"
    case .source, .destination: return line + (record.flags & Flags.hasKey == 0 ? "" : " \(key(record))")
    case .ended, nil: return line
    }
  }
}

import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// A recording as text: a head, and a line for each record.
///
/// A line has the record's number, a word for its kind, and fields of the form `name=value`. No value contains a space.
/// Documentation/FlightRecorder.md explains all of them.
struct FlightRecording {
  private(set) var lines: [String] = []
  private let isHiding: Bool

  init(_ snapshot: FlightRecorder.Snapshot, hidingNames: Bool) {
    isHiding = hidingNames
    let first = snapshot.records.first?.number ?? 0
    let last = snapshot.records.last.map { $0.number + 1 } ?? 0
    lines.append(
      "recording version=1 records=\(snapshot.records.count) first=\(first) next=\(last)"
        + " beginning=\(snapshot.isComplete ? "complete" : "overwritten") names=\(hidingNames ? "hidden" : "shown")")
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func append(_ line: String) { lines.append(line) }

  /// A name or pattern as a value.
  func value(_ name: some Collection<UInt8>) -> String {
    RecordedName.text(isHiding ? RecordedName.hidden(name)[...] : Array(name)[...])
  }

  /// A path as a value: the values of its names, between slashes.
  func path(_ bytes: [UInt8]) -> String {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : value($0) }.joined(separator: "/")
  }

  mutating func append(_ one: FlightRecorder.Numbered) {
    var line = "\(one.number) " + Self.line(of: one.record)
    switch one.name {
    case nil: line += " name=?"
    case let name? where !name.isEmpty:
      line += one.record.kind == .operation ? " path=" + path(name) : " name=" + value(name)
    case .some: break
    }
    lines.append(line)
  }
}

// MARK: - Lines

extension FlightRecording {
  private static func line(of record: FlightRecord) -> String {
    let payload = record.payload
    switch record.kind {
    case .step: return stepLine(record)
    case .hint: return hintLine(record)
    case .overflow: return "overflow"
    case .look: return "look\(place(record)) cause=\(cause(record)) \(found(record))"
    case .waits: return "waits in=\(UInt32(truncatingIfNeeded: payload[0]))"
    case .lease: return "lease\(place(record)) writers=\(writers(record.code))"
    case .open: return openLine(record)
    case .decision: return decisionLine(record)
    case .tag: return tagLine(record)
    case .scan: return scanLine(record)
    case .listed: return listedLine(record)
    case .scanned: return "scanned node=\(record.number) entries=\(payload[0])"
    case .mark: return "mark mark=\(Int32(bitPattern: record.number)) node=\(payload[0]) folder=\(payload[1])"
    case .unmark: return "unmark mark=\(Int32(bitPattern: record.number))"
    case .published: return "published set=\(payload[0]) count=\(payload[1])"
    case .operation: return operationLine(record)
    case .answer:
      let value = record.flags == 0 ? "none" : "\(payload[0])"
      return "answer question=\(name(FlightAnswer(rawValue: record.code))) value=\(value) about=\(payload[1])"
    }
  }

  private static func stepLine(_ record: FlightRecord) -> String {
    let kind = FlightStep(rawValue: record.code)
    let line = "step kind=\(name(kind)) at=\(record.signed(0)) wall=\(record.signed(1))"
    switch kind {
    case .hints:
      return line + " first=\(record.payload[2]) next=\(record.payload[3]) count=\(record.payload[4])"
        + " loss=\(record.signed(5) - 1) last=\(record.flags & 1 == 0 ? "no" : "yes")"
    case .rescan:
      let all = FileSystemObserver.ScanReason.allCases
      return line + " reason=\(all[min(Int(record.payload[2]), all.count - 1)].rawValue)"
    case .start, .deadlines, .own, nil: return line
    }
  }

  private static func hintLine(_ record: FlightRecord) -> String {
    let kinds = words(HintKinds.names, record.flags), traits = words(HintTraits.names, UInt16(record.code))
    let inode = record.payload[3] == 0 ? "none" : "\(record.payload[2]) handle=\(record.payload[4])"
    return "hint number=\(record.payload[0]) mark=\(Int32(bitPattern: record.number)) kinds=\(kinds) traits=\(traits)"
      + " cookie=\(record.payload[1]) inode=\(inode)"
  }

  private static func openLine(_ record: FlightRecord) -> String {
    "open\(place(record)) \(record.code == 0 ? "found=no" : key(record))"
  }

  private static func decisionLine(_ record: FlightRecord) -> String {
    "decision what=\(name(DecisionKind(rawValue: record.code)))"
      + " why=\(name(DecisionReason(rawValue: UInt8(truncatingIfNeeded: record.flags)))) node=\(record.number)"
      + " uuid=\(uuid(record)) in=\(UInt32(truncatingIfNeeded: record.payload[0])) inode=\(record.payload[1])"
  }

  private static func tagLine(_ record: FlightRecord) -> String {
    "tag why=\(name(DecisionReason(rawValue: record.code))) node=\(record.number) uuid=\(uuid(record))"
      + "\(place(record)) error=\(record.signed(2))"
  }

  private static func scanLine(_ record: FlightRecord) -> String {
    let mark = record.flags & 1 == 0 ? "none" : "\(record.signed(6))"
    let modified = record.flags & 2 == 0 ? "none" : "\(record.signed(2))"
    return "scan node=\(record.number) folder=\(record.payload[1]) mark=\(mark) modified=\(modified)"
      + " read=\(record.signed(3)) failure=\(record.signed(4)) markFailure=\(record.signed(5))"
  }

  private static func listedLine(_ record: FlightRecord) -> String {
    func field(_ name: String, _ bit: UInt16) -> String { record.flags & bit == 0 ? "" : " \(name)=yes" }
    return "listed\(place(record)) \(found(record))" + field("listing", FlightRecord.EntryFlags.isListed)
      + field("written", FlightRecord.EntryFlags.isBeingWritten) + field("tagged", FlightRecord.EntryFlags.wasTagged)
  }
}

// MARK: - Fields

extension FlightRecording {
  private static func place(_ record: FlightRecord) -> String {
    " in=\(UInt32(truncatingIfNeeded: record.payload[0])) folder=\(record.payload[1])"
  }

  private static func found(_ record: FlightRecord) -> String {
    let result = FlightRecord.Result(rawValue: record.code)
    guard result == .entry else { return "found=\(name(result))" }
    let flags = record.flags
    let kind = FileKind(rawValue: UInt8(flags & FlightRecord.EntryFlags.kind))
    return "found=entry kind=\(name(kind)) \(key(record)) links=\(record.payload[0] >> 32) size=\(record.signed(5))"
      + " modified=\(record.signed(6)) changed=\(record.signed(7)) tag=\(tag(record)) system=\(record.payload[10])"
      + (flags & FlightRecord.EntryFlags.isRecent == 0 ? "" : " recent=yes")
  }

  private static func tag(_ record: FlightRecord) -> String {
    switch record.flags >> FlightRecord.EntryFlags.tagShift & 3 {
    case 0: "none"
    case 1: uuid(record)
    case 2: "garbage"
    default: "unreadable"
    }
  }

  static func key(_ record: FlightRecord) -> String {
    "inode=\(record.payload[2]) device=\(record.payload[3]) born=\(record.signed(4))"
  }

  static func uuid(_ record: FlightRecord) -> String {
    UUIDBits(high: record.payload[8], low: record.payload[9]).text
  }

  private static func cause(_ record: FlightRecord) -> String {
    switch record.flags >> FlightRecord.EntryFlags.causeShift & 3 {
    case 0: "hint:" + words(HintKinds.names, UInt16(truncatingIfNeeded: record.number))
    case 1: "scan"
    default: "check"
    }
  }

  private static func writers(_ code: UInt8) -> String { WriterProbe(code: code).map { "\($0)" } ?? "?" }

  private static func name<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "?" }

  private static func words(_ names: [String], _ bits: UInt16) -> String {
    let words = names.indices.filter { bits & 1 << UInt16($0) != 0 }.map { names[$0] }
    return words.isEmpty ? "none" : words.joined(separator: "+")
  }
}

extension HintKinds {
  /// The names of the bits, the lowest first.
  package static let names = [
    "created", "removed", "movedFrom", "movedTo", "written", "closed", "attributes", "directory", "selfRemoved",
    "selfMoved", "unmounted", "markGone", "markAgain",
  ]
}

extension HintTraits {
  /// The names of the bits, the lowest first.
  package static let names = ["unordered", "look", "own"]
}

extension UUIDBits {
  /// The 36 lower-case characters.
  package var text: String {
    var text = InlineArray<36, UInt8>(repeating: 0)
    copyText(to: &text)
    return String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
  }
}

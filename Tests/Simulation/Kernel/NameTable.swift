package import LinuxFileSystem

/// The number of a name: names are compared a million times a second, and numbers compare faster than bytes.
package struct NameNumber: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// All names of one simulation and of its repetitions.
@safe
package final class NameTable {
  private var names: [FileName] = []
  /// The same, where they stay.
  private var starts: [UnsafeMutablePointer<UInt8>] = unsafe []
  private var slots = [Int32](repeating: -1, count: 1024)
  private var pendingSiblings: [NameNumber: [NameNumber]] = [:]
  private var pending: [Bool] = []
  private var hidden: [Bool] = []
  private var work: [Bool] = []

  package init() {}

  deinit {
    for index in 0..<names.count { unsafe starts[index].deallocate() }
  }

  /// The names whose presence says that a file is not finished.
  package func pendingSiblings(of number: NameNumber) -> [NameNumber] {
    if let known = pendingSiblings[number] { return known }
    let name = name(number).description
    let siblings = Self.pendingSuffixes.map { self.number(name + $0) }
    pendingSiblings[number] = siblings
    return siblings
  }

  /// Whether the name says of another file that it is not finished.
  package func isPending(_ number: NameNumber) -> Bool { pending[Int(number.rawValue)] }

  private static let pendingSuffixes = [".part", ".crdownload", ".partial", ".aria2", "-journal", "-wal"]

  /// How many names there are: their numbers are those below it.
  package var count: Int { names.count }

  /// The name of a number.
  package func name(_ number: NameNumber) -> FileName { names[Int(number.rawValue)] }

  /// The name of a number, for a call that takes no copy.
  package func view(_ number: NameNumber) -> NameView {
    let index = Int(number.rawValue)
    return unsafe NameView(start: starts[index], count: names[index].count)
  }

  /// Whether the name begins with a dot.
  package func isHidden(_ number: NameNumber) -> Bool { hidden[Int(number.rawValue)] }

  /// Whether operations give the name to what they work on.
  package func isWorkName(_ number: NameNumber) -> Bool { work[Int(number.rawValue)] }

  /// The number of a name.
  package func number(_ name: FileName) -> NameNumber { number(name.span) }

  /// The number of a name.
  package func number(_ name: String) -> NameNumber { number(FileName(name)) }

  /// The number of a name.
  package func number(_ view: NameView) -> NameNumber { number(view.span) }

  /// The number of a name.
  package func number(_ span: Span<UInt8>) -> NameNumber {
    var slot = Int(truncatingIfNeeded: Self.hash(span)) & (slots.count - 1)
    while slots[slot] >= 0 {
      if Self.equal(names[Int(slots[slot])], span) { return NameNumber(rawValue: slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(names.count)
    append(FileName(span))
    if names.count * 2 > slots.count { grow() }
    return NameNumber(rawValue: Int32(names.count - 1))
  }

  private func append(_ name: FileName) {
    names.append(name)
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count + 1)
    for (index, byte) in name.bytes.enumerated() { unsafe start[index] = byte }
    unsafe start[name.count] = 0
    unsafe starts.append(start)
    hidden.append(name.isHidden)
    let text = name.description
    work.append(text.hasPrefix(".fsobserver-"))
    pending.append(Self.pendingSuffixes.contains { text.hasSuffix($0) })
  }

  private func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (index, name) in names.enumerated() {
      var slot = Int(truncatingIfNeeded: Self.hash(name.span)) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(index)
    }
  }

  private static func hash(_ name: Span<UInt8>) -> UInt64 {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in name.indices { value = (value ^ UInt64(name[index])) &* 0x0000_0100_0000_01b3 }
    return value ^ value >> 29
  }

  private static func equal(_ name: FileName, _ other: Span<UInt8>) -> Bool {
    let span = name.span
    guard span.count == other.count else { return false }
    for index in span.indices where span[index] != other[index] { return false }
    return true
  }
}

/// A path from the root of the simulated machine.
package struct Path: Hashable, Sendable, Codable {
  package var names: [NameNumber]

  package init(_ names: [NameNumber]) {
    self.names = names
  }

  /// The path of an entry in this directory.
  package func appending(_ name: NameNumber) -> Path { Path(names + [name]) }

  /// The directory the entry is in.
  package var parent: Path { Path(Array(names.dropLast())) }

  /// The name of the entry in its directory.
  package var last: NameNumber? { names.last }

  /// Whether the entry is the one given, or lies below it.
  package func isInside(_ other: Path) -> Bool { names.starts(with: other.names) }

  /// The path after a directory that it is inside of has moved to another.
  package func moved(from directory: Path, to other: Path) -> Path {
    Path(other.names + names.dropFirst(directory.names.count))
  }
}

extension NameTable {
  /// The path as text, for a person.
  package func text(_ path: Path) -> String { path.names.map { name($0).description }.joined(separator: "/") }

  /// The path that a text gives.
  package func path(_ text: String) -> Path { Path(text.split(separator: "/").map { number(String($0)) }) }
}

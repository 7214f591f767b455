import FileIdentity
import FileTestSupport
internal import Glibc
import LinuxFileSystem
package import SystemPackage

/// The same random system calls on the simulated machine and in a real folder: results, events and what is there at the
/// end must be the same.
///
/// A difference is a fault of the simulation.
package struct KernelComparison {
  private let names: NameTable
  /// It is removed at the end.
  private let folder: ScratchFolder
  private let real: RealMachine
  private let imaginary: ImaginaryMachine
  private let tree: Path
  private var calls: CallMaker
  private var random: Random
  private var done: [String] = []
  private var realCookies: [UInt32: Int] = [:]
  private var imaginaryCookies: [UInt32: Int] = [:]

  /// - Parameter parent: Where the real folder is made.
  package init(seed: UInt64, in parent: String) throws {
    names = NameTable()
    folder = try ScratchFolder(in: FilePath(parent))
    real = try RealMachine(names, folder: folder.path.string)
    imaginary = ImaginaryMachine(names, queueCapacity: 16_384)
    tree = names.path("tree")
    random = Random(seed: seed)
    calls = CallMaker(imaginary.disk, tree, seed: seed &+ 1)
    umask(0o022)
    if let error = real.call(.make(.directory, tree)) { throw error }
    try real.watch(tree)
    try imaginary.watch(tree)
  }

  /// Does so many calls; what it returns is the first difference, with the calls that led to it.
  package mutating func run(calls count: Int) throws(Errno) -> String? {
    var left = 0
    for number in 0..<count {
      if let difference = try call(calls.make()) { return told(difference) }
      left -= 1
      if left > 0 && number < count - 1 { continue }
      left = 1 + random.below(random.chance(1, of: 2) ? 1 : 8)
      if let difference = try compareEvents() ?? compareTrees() { return told(difference) }
    }
    return nil
  }

  private func told(_ difference: String) -> String {
    "after \(done.count) calls:\n" + done.suffix(16).joined(separator: "\n") + "\n" + difference
  }

  private mutating func call(_ action: Action) throws(Errno) -> String? {
    let expected = real.call(action)
    let found = imaginary.call(action)
    done.append("\(names.text(action))\(expected.map { ": \($0)" } ?? "")")
    guard expected == found else {
      return "real: \(expected.map { "\($0)" } ?? "done"), simulated: \(found.map { "\($0)" } ?? "done")"
    }
    if case .make(.directory, let path) = action, expected == nil {
      try real.watch(path)
      try imaginary.watch(path)
    }
    return nil
  }

  private mutating func compareEvents() throws(Errno) -> String? {
    var expected = try real.events().map { text($0, &realCookies) }
    let found = imaginary.events().map { text($0, &imaginaryCookies) }
    var records = (try real.records(), imaginary.records())
    while expected.count < found.count || records.0.count < records.1.count, real.isToldMore() {
      expected += try real.events().map { text($0, &realCookies) }
      records.0 += try real.records()
    }
    return difference("events", expected, found) ?? difference("records", records.0, records.1)
  }

  private func difference(_ what: String, _ expected: [String], _ found: [String]) -> String? {
    if expected == found { return nil }
    let lists = [expected, found].map { $0.joined(separator: "\n  ") }
    return "real \(what):\n  \(lists[0])\nsimulated \(what):\n  \(lists[1])"
  }

  private func compareTrees() -> String? {
    let expected = real.inventory(tree).sorted()
    let found = imaginary.inventory(tree).sorted()
    if expected == found { return nil }
    let missing = expected.filter { !found.contains($0) }.joined(separator: "\n  ")
    let surplus = found.filter { !expected.contains($0) }.joined(separator: "\n  ")
    return "real only:\n  \(missing)\nsimulated only:\n  \(surplus)"
  }

  /// An event in words; cookies are numbered by their first appearance.
  private func text(_ event: QueuedEvent, _ cookies: inout [UInt32: Int]) -> String {
    let all: [(InotifyMask, String)] = [
      (.create, "create"), (.delete, "delete"), (.movedFrom, "movedFrom"), (.movedTo, "movedTo"),
      (.modify, "modify"), (.attribute, "attribute"), (.closeWrite, "closeWrite"), (.deleteSelf, "deleteSelf"),
      (.moveSelf, "moveSelf"), (.ignored, "ignored"), (.queueOverflow, "overflow"), (.isDirectory, "directory"),
    ]
    var text = all.filter { event.mask.contains($0.0) }.map(\.1).joined(separator: "+")
    text += " \(event.name.map { names.name($0).description } ?? "-") in \(event.watch)"
    if event.cookie != 0 {
      let number = cookies[event.cookie] ?? cookies.count
      cookies[event.cookie] = number
      text += " cookie \(number)"
    }
    return text
  }

  /// Whether attributes must fit into a block, as on ext4, which the simulated machine is like.
  package var hasNarrowAttributes: Bool { real.hasNarrowAttributes }

  /// Attributes of all sizes about the limits.
  package mutating func attributeLimits() throws(Errno) -> String? {
    let path = tree.appending(names.number("a"))
    if let difference = try call(.create(path, 0)) { return told(difference) }
    for size in [1, 36, 56, 57, 3_900, 4_100, 60_000, 65_536, 65_537, 70_000] {
      if let difference = try call(.setTag(path, .garbage(size))) ?? compareTrees() { return told(difference) }
    }
    return try compareEvents()
  }

  /// Fills both queues until they overflow.
  package mutating func overflow() throws(Errno) -> String? {
    let paths = ["a", "b"].map { tree.appending(names.number($0)) }
    for (index, path) in paths.enumerated() {
      if let difference = try call(.create(path, index)) { return told(difference) }
    }
    for number in 0..<20_000 {
      if let difference = try call(.touch(paths[number % 2])) { return told(difference) }
    }
    if let difference = try compareEvents() { return difference }
    return try fillWithNames()
  }

  /// The same with what cannot be merged.
  private mutating func fillWithNames() throws(Errno) -> String? {
    for folder in 0..<34 {
      let path = tree.appending(names.number("d\(folder)"))
      if let difference = try call(.make(.directory, path)) { return told(difference) }
      for number in 0..<500 {
        let link = path.appending(names.number("l\(number)"))
        if let difference = try call(.make(.symlink, link)) { return told(difference) }
      }
    }
    return try compareEvents()
  }
}

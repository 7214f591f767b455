import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

/// Everything by both routes: a test machine's kernel has one that is preferred, and the other must not rot.
struct EntryProberTests {
  private static let attribute = AttributeName("user.fsobservation.test")
  private let folder: ScratchFolder

  private struct Found: Equatable {
    var status: Result<FileStatus, Errno>
    var attribute: Result<ExtendedAttribute.Value, Errno>
    var bytes: [UInt8]

    var kind: FileKind? { try? status.get().kind }
  }

  init() throws {
    folder = try ScratchFolder()
  }

  private func openFolder() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor.openDirectory(at: folder.path, for: .list)
  }

  private func found(
    _ prober: EntryProber = EntryProber(), by route: AttributeRoute,
    where isWanted: (NameView, ListedKind) -> Bool = { _, _ in true }
  ) throws -> [FileName: Found] {
    let directory = try openFolder()
    var found: [FileName: Found] = [:]
    try prober.rewind(directory)
    while let entries = try prober.next(in: directory, reading: Self.attribute, by: route, where: isWanted) {
      for index in 0..<entries.count {
        let entry = unsafe Found(
          status: entries.status(index), attribute: entries.attribute(index), bytes: Array(entries.bytes(index)))
        #expect(found.updateValue(entry, forKey: FileName(entries.name(index))) == nil, "found twice")
      }
    }
    return found
  }

  @Test(arguments: AttributeRoute.allCases)
  func tellsStatesAndAttributes(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    try PlainFiles.write([1, 2], to: folder.path("file"))
    try PlainFiles.setAttribute("user.fsobservation.test", of: folder.path("file"), to: [5, 0, 6])
    try PlainFiles.write([], to: folder.path("bare"))
    try PlainFiles.write([], to: folder.path("long"))
    try PlainFiles.setAttribute(
      "user.fsobservation.test", of: folder.path("long"), to: [UInt8](repeating: 1, count: 65))
    try PlainFiles.makeFolder(at: folder.path("folder"))
    try PlainFiles.setAttribute("user.fsobservation.test", of: folder.path("folder"), to: [7])
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "file")
    try PlainFiles.makePipe(at: folder.path("pipe"))
    let found = try found(by: route)
    #expect(found.count == 6)
    for (name, entry) in found {
      let expected = try FileStatus.of(path: folder.path(name.description))
      #expect(try entry.status.get() == expected, "\(name)")
    }
    #expect(found[FileName("file")]?.bytes == [5, 0, 6])
    #expect(found[FileName("folder")]?.bytes == [7])
    #expect(found[FileName("bare")]?.attribute == .success(.missing))
    #expect(found[FileName("long")]?.attribute == .success(.tooLong))
    #expect(found[FileName("link")]?.kind == .symlink)
    #expect(found[FileName("link")]?.attribute == .success(.missing))
    #expect(found[FileName("pipe")]?.kind == .special)
  }

  /// More than are looked at in one go, and more records than one buffer of 64 KiB holds; with one prober again and
  /// again.
  @Test(arguments: AttributeRoute.allCases)
  func findsEachOfManyEntriesOnce(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    let names = Set((0..<2000).map { FileName("\($0)-" + String(repeating: "n", count: 40)) })
    for name in names { try PlainFiles.write([], to: folder.path(name.description)) }
    let prober = EntryProber()
    for _ in 0..<2 { #expect(Set(try found(prober, by: route).keys) == names) }
    let wanted = try found(prober, by: route) { name, _ in unsafe name.bytes[0] == UInt8(ascii: "7") }
    #expect(Set(wanted.keys) == names.filter { $0.bytes.first == UInt8(ascii: "7") })
    #expect(try found(prober, by: route) { _, _ in false }.isEmpty)
  }

  @Test(arguments: AttributeRoute.allCases)
  func namesMayBeOfTheGreatestLengthAndNotUTF8(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    let names = [FileName(bytes: [UInt8](repeating: 0xff, count: 255)), FileName(bytes: [0x80])]
    let directory = try openFolder()
    for name in names {
      _ = try name.withView { (name) throws(Errno) in
        try OwnedDescriptor.create(name, in: directory, permissions: 0o600).number
      }
    }
    #expect(Set(try found(by: route).keys) == Set(names))
    #expect(try write(by: route) { _ in [1] }.values.allSatisfy { $0 == .success(true) })
    #expect(try found(by: route).values.allSatisfy { $0.bytes == [1] })
  }

  /// Has values be written for all that there is, and tells what came of it.
  private func write(
    by route: AttributeRoute, meanwhile: () throws -> Void = {}, _ value: (FileName) -> [UInt8]?
  ) throws -> [FileName: Result<Bool, Errno>] {
    let directory = try openFolder()
    let prober = EntryProber()
    var results: [FileName: Result<Bool, Errno>] = [:]
    try prober.rewind(directory)
    while let entries = try prober.next(in: directory, reading: Self.attribute, by: route, where: { _, _ in true }) {
      for index in 0..<entries.count {
        guard let value = value(FileName(entries.name(index))) else { continue }
        unsafe value.span.withUnsafeBytes { unsafe entries.note($0, for: index) }
      }
      try meanwhile()
      entries.write(in: directory, to: Self.attribute, by: route)
      for index in 0..<entries.count where entries.isNoted(index) {
        results[FileName(entries.name(index))] = entries.written(index)
      }
    }
    return results
  }

  @Test(arguments: AttributeRoute.allCases, AttributeRoute.allCases)
  func whatOneRouteWritesTheOtherReads(_ writing: AttributeRoute, _ reading: AttributeRoute) throws {
    try requireKernelSupport(for: writing, reading)
    for name in ["a", "b", "c", "gone"] { try PlainFiles.write([], to: folder.path(name)) }
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "c")
    let results = try write(by: writing) {
      try PlainFiles.setAttribute("user.fsobservation.test", of: folder.path("b"), to: [9])
      try PlainFiles.remove(folder.path("gone"))
    } _: { name in
      name == FileName("c") ? nil : [1, 2, 0, 3]
    }
    #expect(
      results == [
        FileName("a"): .success(true), FileName("b"): .success(false), FileName("link"): .failure(.notPermitted),
        FileName("gone"): .failure(.noSuchFileOrDirectory),
      ])
    let found = try found(by: reading)
    #expect(found[FileName("a")]?.bytes == [1, 2, 0, 3])
    #expect(found[FileName("b")]?.bytes == [9])
    #expect(found[FileName("c")]?.attribute == .success(.missing), "no link is followed, and nothing written unasked")
  }

  @Test func whatIsGoneWhenItIsLookedAtIsAnErrorOfThatEntry() throws {
    try PlainFiles.write([], to: folder.path("file"))
    let directory = try openFolder()
    let prober = EntryProber()
    try prober.rewind(directory)
    let found = try prober.next(in: directory, reading: Self.attribute) { name, _ in
      // What is listed is gone when it is looked at.
      try? PlainFiles.remove(folder.path(FileName(name).description))
      return true
    }
    let entries = try #require(found)
    #expect(entries.count == 1)
    #expect(entries.status(0) == .failure(.noSuchFileOrDirectory))
    #expect(entries.attribute(0) == .success(.missing))
    let next = try prober.next(in: directory, reading: Self.attribute, where: { _, _ in true })
    #expect(next == nil)
  }
}

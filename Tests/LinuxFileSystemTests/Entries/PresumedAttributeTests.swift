import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

/// Attributes that are not read, as none of many files before had one.
struct PresumedAttributeTests {
  private static let attribute = AttributeName("user.fsobservation.test")
  private let folder: ScratchFolder
  private let directory: DirectoryHandle
  private let prober = EntryProber()

  init() throws {
    folder = try ScratchFolder()
    for number in 0..<300 { try PlainFiles.write([], to: folder.path("\(number)")) }
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .list))
  }

  private struct Seen: Equatable {
    var name: String
    var isPresumed: Bool
    /// Whether the value that was noted was written; nothing where none was noted.
    var written: Result<Bool, Errno>?
  }

  /// Looks at all there is, and has a value be written wherever none was found.
  private func look(
    in other: DirectoryHandle? = nil, by route: AttributeRoute = .preferred, presumingBefore end: Int64?,
    writing value: [UInt8]? = nil
  ) throws -> [Seen] {
    let directory = other ?? directory
    var seen: [Seen] = []
    try prober.rewind(directory.descriptor)
    while let entries = try prober.next(
      in: directory.descriptor, reading: Self.attribute, by: route, presumingMissingIfChangedBefore: end,
      where: { _, _ in true })
    {
      for index in 0..<entries.count where entries.attribute(index) == .success(.missing) {
        if let value { unsafe value.span.withUnsafeBytes { unsafe entries.note($0, for: index) } }
      }
      entries.write(in: directory.descriptor, to: Self.attribute, by: route)
      for index in 0..<entries.count {
        seen.append(
          Seen(
            name: FileName(entries.name(index)).description, isPresumed: entries.isPresumedMissing(index),
            written: entries.isNoted(index) ? entries.written(index) : nil))
      }
    }
    return seen
  }

  @Test(arguments: AttributeRoute.allCases)
  func anAttributeThatIsThereIsNotReplacedAndEndsThePresumption(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    let order = try look(presumingBefore: nil).map(\.name)
    let bearer = 150
    try PlainFiles.setAttribute("user.fsobservation.test", of: folder.path(order[bearer]), to: [9])
    let seen = try look(by: route, presumingBefore: .max, writing: [1, 2])
    #expect(seen.map(\.name) == order)
    // The first look found 300 without; the bearer is one of those that are looked at together until the 160th.
    let read = 160..<160 + EntryProber.missesToPresume
    #expect(seen.map(\.isPresumed) == seen.indices.map { !read.contains($0) })
    for (index, entry) in seen.enumerated() {
      #expect(entry.written == .success(index != bearer))
      let value = try PlainFiles.attribute("user.fsobservation.test", of: folder.path(entry.name))
      #expect(value == (index == bearer ? [9] : [1, 2]))
    }
  }

  @Test func nothingIsPresumedUntilManyHadNone() throws {
    #expect(prober.deviceWithoutAttributes == nil)
    let seen = try look(presumingBefore: .max)
    #expect(seen.map(\.isPresumed) == seen.indices.map { $0 >= EntryProber.missesToPresume })
    #expect(try prober.deviceWithoutAttributes == FileStatus.of(directory.descriptor).device)
  }

  @Test func anAttributeThatIsReadEndsThePresumption() throws {
    for name in folder.names() {
      try PlainFiles.setAttribute("user.fsobservation.test", of: folder.path(name), to: [9])
    }
    let seen = try look(presumingBefore: .max)
    #expect(seen.allSatisfy { !$0.isPresumed })
    #expect(prober.deviceWithoutAttributes == nil)
  }

  /// Of each of those it matters what there is, or the write would not tell it.
  @Test func othersAreRead() throws {
    _ = try look(presumingBefore: nil)
    try #require(prober.deviceWithoutAttributes != nil)
    try PlainFiles.makeFolder(at: folder.path("folder"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "0")
    try PlainFiles.setPermissions(0o200, of: folder.path("1"))
    try PlainFiles.setPermissions(0o642, of: folder.path("2"))
    let seen = try look(presumingBefore: .max)
    #expect(Set(seen.filter { !$0.isPresumed }.map(\.name)) == ["folder", "link", "1", "2"])

    let changed = try FileStatus.of(path: folder.path("0")).changed
    #expect(try !look(presumingBefore: changed).contains { $0.name == "0" && $0.isPresumed })
    #expect(try !look(presumingBefore: nil).contains { $0.isPresumed })
  }

  /// Another file system than that on which none had an attribute.
  @Test func aDeviceIsNotPresumedToBeLikeAnother() throws {
    let others = try ScratchFolder(in: "/dev/shm")
    let other = DirectoryHandle(try OwnedDescriptor.openDirectory(at: others.path, for: .list))
    if try FileStatus.of(other.descriptor).device == FileStatus.of(directory.descriptor).device {
      try Test.cancel("needs two file systems")
    }
    for number in 0..<100 { try PlainFiles.write([], to: others.path("\(number)")) }
    _ = try look(presumingBefore: nil)
    let seen = try look(in: other, presumingBefore: .max)
    #expect(seen.map(\.isPresumed) == seen.indices.map { $0 >= EntryProber.missesToPresume })
  }

  /// As on a file system that has become read-only: the next are read, so that nobody asks in vain again and again.
  @Test func aValueThatCannotBeWrittenEndsThePresumption() throws {
    _ = try look(presumingBefore: nil)
    try #require(prober.deviceWithoutAttributes != nil)
    try prober.rewind(directory.descriptor)
    let next = try prober.next(
      in: directory.descriptor, reading: Self.attribute, presumingMissingIfChangedBefore: .max, where: { _, _ in true })
    let found = try #require(next)
    try PlainFiles.remove(folder.path(FileName(found.name(0)).description))
    unsafe [UInt8](repeating: 1, count: 2).span.withUnsafeBytes { unsafe found.note($0, for: 0) }
    found.write(in: directory.descriptor, to: Self.attribute)
    #expect(found.written(0) == .failure(.noSuchFileOrDirectory))
    #expect(prober.deviceWithoutAttributes == nil)
  }
}

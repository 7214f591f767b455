import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

/// Everything by both routes: a test machine's kernel has one that is preferred, and the other must not rot.
struct ExtendedAttributeTests {
  private static let attribute = AttributeName("user.fsobservation.test")
  private let folder: ScratchFolder
  private let name = FileName(bytes: [0x64, 0xff, 0x20, 0x25])

  init() throws {
    folder = try ScratchFolder()
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    _ = try name.withView { (name) throws(Errno) in
      try OwnedDescriptor.create(name, in: directory, permissions: 0o644).number
    }
  }

  private func directory() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
  }

  private func write(_ value: [UInt8], _ mode: AttributeWriteMode) throws(Errno) {
    let directory = try directory()
    let file = try name.withView { (name) throws(Errno) in try OwnedDescriptor.openPath(name, in: directory) }
    unsafe try value.span.withUnsafeBytes { (bytes) throws(Errno) in
      unsafe try ExtendedAttribute.write(bytes, to: Self.attribute, of: file, mode: mode)
    }
  }

  private func read(room: Int = ExtendedAttribute.longestValue, by route: AttributeRoute) throws -> [UInt8]? {
    let directory = try directory()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
    defer { unsafe buffer.deallocate() }
    let value = try name.withView { (name) throws(Errno) in
      unsafe try ExtendedAttribute.read(Self.attribute, of: name, in: directory, into: buffer, by: route)
    }
    switch value {
    case .bytes(let count): return unsafe Array(buffer[..<count])
    case .missing: return nil
    case .tooLong: throw Errno.outOfRange
    }
  }

  private func remove(by route: AttributeRoute) throws -> Bool {
    let directory = try directory()
    return try name.withView { (name) throws(Errno) in
      try ExtendedAttribute.remove(Self.attribute, from: name, in: directory, by: route)
    }
  }

  @Test(arguments: AttributeRoute.allCases)
  func whatIsWrittenIsReadAndRemoved(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    #expect(try read(by: route) == nil)
    try write([1, 2, 0, 3], .create)
    #expect(try read(by: route) == [1, 2, 0, 3])
    #expect(throws: Errno.fileExists) { try write([9], .create) }
    try write([4], .set)
    #expect(try read(by: route) == [4])
    #expect(try remove(by: route))
    #expect(try !remove(by: route))
    #expect(try read(by: route) == nil)
  }

  @Test(arguments: AttributeRoute.allCases)
  func valuesOfEveryLengthAreToldApart(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    try write([], .set)
    #expect(try read(by: route) == [])
    let fitting = [UInt8](repeating: 7, count: 64)
    try write(fitting, .set)
    #expect(try read(by: route) == fitting)
    try write(fitting + [7], .set)
    #expect(throws: Errno.outOfRange) { try read(by: route) }
  }

  @Test(arguments: AttributeRoute.allCases)
  func aSymbolicLinkIsNotFollowed(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    try PlainFiles.write([], to: folder.path("target"))
    try PlainFiles.setAttribute("user.fsobservation.test", of: folder.path("target"), to: [1])
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "target")
    let directory = try directory()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
    defer { unsafe buffer.deallocate() }
    let value = try FileName("link").withView { (name) throws(Errno) in
      unsafe try ExtendedAttribute.read(Self.attribute, of: name, in: directory, into: buffer, by: route)
    }
    #expect(value == .missing)
  }

  @Test(arguments: AttributeRoute.allCases)
  func aNameThatIsNotThereIsAnError(_ route: AttributeRoute) throws {
    try requireKernelSupport(for: route)
    let directory = try directory()
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try FileName("missing").withView { (name) throws(Errno) in
        try ExtendedAttribute.remove(Self.attribute, from: name, in: directory, by: route)
      }
    }
  }

  @Test func anOpenInodeIsReachedWhateverItsNameIsByNow() throws {
    try PlainFiles.write([], to: folder.path("before"))
    let file = try FileName("before").withView { (name) throws(Errno) in
      try OwnedDescriptor.openPath(name, in: try directory())
    }
    try PlainFiles.rename(folder.path("before"), to: folder.path("after"))
    unsafe try [UInt8](arrayLiteral: 5, 6).span.withUnsafeBytes { (bytes) throws(Errno) in
      unsafe try ExtendedAttribute.write(bytes, to: Self.attribute, of: file, mode: .create)
    }
    #expect(try PlainFiles.attribute("user.fsobservation.test", of: folder.path("after")) == [5, 6])
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
    defer { unsafe buffer.deallocate() }
    let value = unsafe try ExtendedAttribute.read(Self.attribute, of: file, into: buffer)
    #expect(value == .bytes(count: 2))
    #expect(try ExtendedAttribute.remove(Self.attribute, from: file))
    #expect(try !ExtendedAttribute.remove(Self.attribute, from: file))
  }
}

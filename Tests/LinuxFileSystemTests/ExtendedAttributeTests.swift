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

  private func write(_ value: [UInt8], _ mode: AttributeWriteMode, by route: AttributeRoute) throws(Errno) {
    let directory = try directory()
    try name.withView { (name) throws(Errno) in
      unsafe try value.span.withUnsafeBytes { (bytes) throws(Errno) in
        unsafe try ExtendedAttribute.write(bytes, to: Self.attribute, of: name, in: directory, mode: mode, by: route)
      }
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

  @Test(arguments: AttributeRoute.allCases, AttributeRoute.allCases)
  func whatOneRouteWritesTheOtherReads(_ writing: AttributeRoute, _ reading: AttributeRoute) throws {
    try requireKernelSupport(writing, reading)
    #expect(try read(by: reading) == nil)
    try write([1, 2, 0, 3], .create, by: writing)
    #expect(try read(by: reading) == [1, 2, 0, 3])
    #expect(throws: Errno.fileExists) { try write([9], .create, by: writing) }
    try write([4], .set, by: writing)
    #expect(try read(by: reading) == [4])
    #expect(try remove(by: writing))
    #expect(try !remove(by: writing))
    #expect(try read(by: reading) == nil)
  }

  @Test(arguments: AttributeRoute.allCases)
  func valuesOfEveryLengthAreToldApart(_ route: AttributeRoute) throws {
    try requireKernelSupport(route)
    try write([], .set, by: route)
    #expect(try read(by: route) == [])
    let fitting = [UInt8](repeating: 7, count: 64)
    try write(fitting, .set, by: route)
    #expect(try read(by: route) == fitting)
    try write(fitting + [7], .set, by: route)
    #expect(throws: Errno.outOfRange) { try read(by: route) }
  }

  @Test(arguments: AttributeRoute.allCases)
  func aSymbolicLinkIsNotFollowed(_ route: AttributeRoute) throws {
    try requireKernelSupport(route)
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
    #expect(throws: Errno.notPermitted) { try writeToLink(by: route) }
  }

  private func writeToLink(by route: AttributeRoute) throws(Errno) {
    let directory = try directory()
    try FileName("link").withView { (name) throws(Errno) in
      unsafe try [UInt8](arrayLiteral: 1).span.withUnsafeBytes { (bytes) throws(Errno) in
        unsafe try ExtendedAttribute.write(bytes, to: Self.attribute, of: name, in: directory, mode: .set, by: route)
      }
    }
  }

  @Test(arguments: AttributeRoute.allCases)
  func aNameThatIsNotThereIsAnError(_ route: AttributeRoute) throws {
    try requireKernelSupport(route)
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

  private func requireKernelSupport(_ routes: AttributeRoute...) throws {
    guard routes.contains(.directoryCalls), AttributeRoute.preferred != .directoryCalls else { return }
    try Test.cancel("this kernel has no getxattrat(2)")
  }
}

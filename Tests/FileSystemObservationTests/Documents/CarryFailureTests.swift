import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What a document loses by being replaced or copied is told, and the document is the old or the new.
@Suite(.busy) struct CarryFailureTests {
  private let fixture: DocumentFixture
  private static let refusals: [Errno] = [.notPermitted, .permissionDenied, .noSpace, .diskQuotaExceeded]

  init() throws {
    fixture = try DocumentFixture()
  }

  private func operations(
    refusing property: FileSystemObserver.CarryFailure.Property, with errno: Errno, writesTags: Bool = true
  ) -> DocumentOperations {
    DocumentOperations(
      tag: FileTag(), writesTags: writesTags,
      beforeCarrying: { (reached) throws(Errno) in if reached == property { throw errno } })
  }

  @Test(arguments: [FileSystemObserver.CarryFailure.Property.accessControlList, .attribute, .permissions], refusals)
  func whatTheKernelRefusesIsReturned(_ property: FileSystemObserver.CarryFailure.Property, _ errno: Errno) throws {
    try PlainFiles.setPermissions(0o640, of: fixture.path)
    let operations = operations(refusing: property, with: errno)
    let failures = try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    expectTold(failures, property, errno)
    #expect(try PlainFiles.read(fixture.path) == [1])
    #expect(try DocumentFixture.tag(of: fixture.path) == DocumentFixture.uuid.description)
    var copied: [FileSystemObserver.CarryFailure] = []
    let copy = fixture.folder.path("copy")
    try PlainFiles.setAttribute("user.author", of: fixture.path, to: [7])
    try PlainFiles.setAttribute(AccessControlList.access, of: fixture.path, to: DocumentFixture.accessList)
    try operations.duplicateItem(at: fixture.path, to: copy, notCarried: &copied)
    expectTold(copied, property, errno)
    #expect(try PlainFiles.read(copy) == [1])
  }

  private func expectTold(
    _ failures: [FileSystemObserver.CarryFailure], _ property: FileSystemObserver.CarryFailure.Property, _ errno: Errno,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let told = failures.filter { $0.property == property }
    #expect(!told.isEmpty && told.allSatisfy { $0.errno == errno }, "\(failures)", sourceLocation: sourceLocation)
    #expect(
      failures.allSatisfy { $0.property == property || $0.property == .permissions }, sourceLocation: sourceLocation)
    if property == .attribute {
      #expect(told.contains { $0.attributeName == "user.author" }, sourceLocation: sourceLocation)
      #expect(told.contains { $0.description.contains("user.author") }, sourceLocation: sourceLocation)
    }
  }

  /// A list's mask is not the rights of the group.
  @Test func aListThatIsLostGivesTheGroupNoRights() throws {
    try PlainFiles.setAttribute(AccessControlList.access, of: fixture.path, to: DocumentFixture.accessList)
    try PlainFiles.setPermissions(0o660, of: fixture.path)
    let operations = operations(refusing: .accessControlList, with: .noSpace)
    let failures = try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    #expect(failures.map(\.property) == [.accessControlList, .permissions])
    #expect(try PlainFiles.status(of: fixture.path).st_mode & 0o7777 == 0o600)
  }

  @Test(arguments: refusals) func aTagThatIsRefusedIsAnError(_ errno: Errno) throws {
    let before = try fixture.snapshot()
    let operations = operations(refusing: .tag, with: errno)
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    }
    #expect(error?.errno == errno)
    let copyError = #expect(throws: FileSystemObserverError.self) {
      try operations.duplicateItem(at: fixture.path, to: fixture.folder.path("copy"))
    }
    #expect(copyError?.errno == errno)
    #expect(try fixture.snapshot() == before)
  }

  @Test func withoutTagsATagThatIsRefusedIsTold() throws {
    let operations = operations(refusing: .tag, with: .noSpace, writesTags: false)
    let failures = try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    #expect(
      failures == [FileSystemObserver.CarryFailure(property: .tag, attributeName: FileTag.defaultName, errno: .noSpace)]
    )
    #expect(try PlainFiles.read(fixture.path) == [1])
  }

  /// What is no refusal, as a bad disk, is an error.
  @Test(arguments: FileSystemObserver.CarryFailure.Property.allCases.filter { $0 != .owner && $0 != .group })
  func aDiskThatFailsIsAnError(_ property: FileSystemObserver.CarryFailure.Property) throws {
    let before = try fixture.snapshot()
    let operations = operations(refusing: property, with: .ioError)
    #expect(throws: FileSystemObserverError.self) {
      try operations.replaceContents(of: fixture.path, with: [1], uuid: nil)
    }
    #expect(try fixture.snapshot() == before)
  }

  /// Another's file with capabilities (capabilities(7)), in a folder of all.
  @Test(.enabled(if: geteuid() == 0)) func whatOnlyRootMayGiveIsTold() async throws {
    try PlainFiles.setPermissions(0o777, of: fixture.folder.path)
    let path = fixture.folder.path("shared")
    try PlainFiles.write([1], to: path)
    try PlainFiles.setOwner(12345, group: 12346, of: path)
    try PlainFiles.setPermissions(0o4775, of: path)
    // Version 2 of the format, with CAP_NET_RAW.
    let capability: [UInt8] = [1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    do {
      try PlainFiles.setAttribute("security.capability", of: path, to: capability)
    } catch {
      try Test.cancel("no capabilities can be given here: \(error)")
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = path.string as String] in
      guard setgroups(0, nil) == 0, setgid(65533) == 0, setuid(65534) == 0 else { exit(1) }
      let failures = try DocumentOperations(tag: FileTag()).replaceContents(
        of: FilePath(path), with: [2], uuid: DocumentFixture.uuid)
      let properties = failures.map(\.property)
      let isRight =
        properties == [.group, .owner, .attribute, .permissions] && failures.allSatisfy { $0.errno == .notPermitted }
        && failures[2].attributeName == "security.capability"
      if !isRight { print(failures) }
      exit(isRight ? 0 : 2)
    }
    #expect(try PlainFiles.read(path) == [2])
    #expect(try DocumentFixture.tag(of: path) == DocumentFixture.uuid.description)
  }

  /// An immutable document (chattr +i) stays what it is.
  @Test(.enabled(if: geteuid() == 0)) func anImmutableDocumentIsNotReplaced() throws {
    guard (try? Command.run("chattr", "+i", fixture.path.string)) != nil else {
      try Test.cancel("no file can be made immutable here")
    }
    defer { _ = try? Command.run("chattr", "-i", fixture.path.string) }
    let before = try fixture.snapshot()
    let error = #expect(throws: FileSystemObserverError.self) {
      try DocumentOperations(tag: FileTag()).replaceContents(of: fixture.path, with: [1], uuid: nil)
    }
    #expect(error?.errno == .notPermitted)
    #expect(try fixture.snapshot() == before)
  }
}

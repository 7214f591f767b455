import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// What holds for every source of events: hints at names.
@Suite(.timeLimit(.minutes(10)))
struct EventSourceContractTests {
  @Test(arguments: ContractSource.possible) func whatIsMadeIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    try contract.write("a/file")
    try contract.makeFolder("a/folder")
    try PlainFiles.makeSymlink(at: contract.folder.path("b/link"), to: "file")
    let hints = try contract.hints()
    #expect(hints.say(.created, of: "file", in: contract.a))
    #expect(hints.say([.created, .directory], of: "folder", in: contract.a))
    #expect(hints.say(.created, of: "link", in: contract.b))
  }

  @Test(arguments: ContractSource.possible) func aWriteIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file", "a/other"])
    try contract.write("a/file", [1, 2, 3])
    let hints = try contract.hints()
    #expect(hints.say(.written, of: "file", in: contract.a))
    #expect(hints.at("other", in: contract.a).isEmpty)
  }

  @Test(arguments: ContractSource.possible) func aChangeOfAttributesIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file"])
    try PlainFiles.setPermissions(0o600, of: contract.folder.path("a/file"))
    let hints = try contract.hints()
    #expect(hints.say(.attributes, of: "file", in: contract.a))
    #expect(hints.at("file", in: contract.a).allSatisfy { $0.traits.contains(.own) == kind.usesFanotify })
  }

  /// The same mark covers more afterwards.
  @Test(arguments: ContractSource.possible) func attributesAreHintedAtOnlyWhereWanted(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file"], for: .entriesWithoutAttributes)
    try PlainFiles.setPermissions(0o600, of: contract.folder.path("a/file"))
    #expect(try contract.hints().named.isEmpty)
    #expect(try contract.mark("a") == contract.a)
    _ = try contract.hints()
    try PlainFiles.setPermissions(0o644, of: contract.folder.path("a/file"))
    #expect(try contract.hints().say(.attributes, of: "file", in: contract.a))
  }

  @Test(arguments: ContractSource.possible) func aRenameIsHintedAtOnBothNames(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/old", "a/one", "a/two"])
    try contract.rename("a/old", to: "a/new")
    try contract.rename("a/one", to: "a/two")
    let hints = try contract.hints()
    #expect(hints.sayRenamed("old", in: contract.a, to: "new", in: contract.a))
    if kind.polls {
      #expect(!hints.at("one", in: contract.a).isEmpty && !hints.at("two", in: contract.a).isEmpty)
    } else {
      #expect(hints.sayRenamed("one", in: contract.a, to: "two", in: contract.a))
    }
  }

  @Test(arguments: ContractSource.possible)
  func aRenameFromOneDirectoryToAnotherIsHintedAtInBoth(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/old"])
    try contract.rename("a/old", to: "b/new")
    #expect(try contract.hints().sayRenamed("old", in: contract.a, to: "new", in: contract.b))
  }

  @Test(arguments: ContractSource.possible) func aRenameIntoADirectoryIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["outside/file"])
    try contract.rename("outside/file", to: "a/in")
    let hints = try contract.hints()
    #expect(hints.say(.movedTo, of: "in", in: contract.a))
    #expect(hints.named.allSatisfy { $0.name == FileName("in") })
  }

  @Test(arguments: ContractSource.possible) func aRenameOutOfADirectoryIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file"])
    try contract.rename("a/file", to: "outside/out")
    let hints = try contract.hints()
    #expect(hints.say(.movedFrom, of: "file", in: contract.a))
    #expect(hints.named.allSatisfy { $0.name == FileName("file") })
  }

  @Test(arguments: ContractSource.possible) func anExchangeIsHintedAtOnBothNames(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/one", "b/two"])
    let (a, b) = (try contract.open("a"), try contract.open("b"))
    do throws(Errno) {
      try FileName("one").withView { (one) throws(Errno) in
        try FileName("two").withView { (two) throws(Errno) in
          try DirectoryChange.exchange(one, in: a.descriptor, with: two, in: b.descriptor)
        }
      }
    } catch {
      try Test.cancel("the file system exchanges no names: \(error)")
    }
    let hints = try contract.hints()
    #expect(hints.sayRenamed("one", in: contract.a, to: "two", in: contract.b))
    #expect(hints.sayRenamed("two", in: contract.b, to: "one", in: contract.a))
  }

  /// The kernel reports the new number of links to marks of the file only.
  @Test(arguments: ContractSource.possible) func aLinkIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file"])
    try PlainFiles.makeLink(at: contract.folder.path("b/link"), to: contract.folder.path("a/file"))
    let hints = try contract.hints()
    #expect(hints.say(.created, of: "link", in: contract.b))
    #expect(hints.at("file", in: contract.a).isEmpty != kind.polls)
  }

  @Test(arguments: ContractSource.possible) func whatIsDeletedIsHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file"])
    try contract.makeFolder("b/folder")
    _ = try contract.hints()
    try PlainFiles.remove(contract.folder.path("a/file"))
    try PlainFiles.removeFolder(contract.folder.path("b/folder"))
    let hints = try contract.hints()
    #expect(hints.say(.removed, of: "file", in: contract.a))
    #expect(hints.say([.removed, .directory], of: "folder", in: contract.b))
  }

  @Test(arguments: ContractSource.possible) func whatIsOutsideIsNotHintedAt(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    try contract.makeFolder("a/below")
    _ = try contract.hints()
    try contract.write("outside/file")
    try contract.write("a/below/file")
    try contract.write("beside")
    #expect(try contract.hints().named.allSatisfy { $0.name == FileName("below") })
  }
}

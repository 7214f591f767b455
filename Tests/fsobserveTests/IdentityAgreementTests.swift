import FileIdentity
import FileTestSupport
import Testing

/// `scan`, `find` and `id` say the same of each file, with a tag or without.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct IdentityAgreementTests {
  /// What `scan` lists, by path.
  private func scan(_ folder: ScratchFolder, _ options: String...) throws -> [String: String] {
    let run = try Tool.start(["scan", folder.string] + options).finish()
    let lines = run.lines.prefix { !$0.isEmpty }.map { line in
      (path: line.drop { $0 != "/" }, uuid: line.prefix(36))
    }
    return Dictionary(lines.map { (String($0.path), String($0.uuid)) }) { first, _ in first }
  }

  private func expectFound(_ listed: [String: String], in folder: ScratchFolder) throws {
    #expect(!listed.isEmpty)
    for (path, uuid) in listed {
      let found = try Tool.run("find", uuid, folder.string)
      #expect(found.status == 0 && found.errors == "", "\(path): \(found.errors)")
      #expect(found.lines == listed.filter { $0.value == uuid }.map(\.key).sorted(), "\(path)")
    }
  }

  private func expectKnown(_ listed: [String: String]) throws {
    for (path, uuid) in listed {
      let known = try Tool.run("id", path)
      #expect(known.status == 0 && known.lines == ["\(uuid)  \(path)"], "\(path): \(known.errors)")
    }
  }

  private func prepare() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    folder.shell("mkdir sub; echo 1 > a; echo 2 > sub/b; ln sub/b linked; ln -s a link; ln -s missing sub/dangling")
    return folder
  }

  @Test func whereNoTagIsWanted() throws {
    let folder = try prepare()
    let listed = try scan(folder, "--no-tag")
    try expectFound(listed, in: folder)
    try expectKnown(listed)
    folder.shell("! getfattr -R -n user.fsobserver.uuid . 2>/dev/null | grep -q uuid")
  }

  /// Another's files, links and folders that may not be written.
  @Test(.enabled(if: !isRoot)) func whereNoTagMayBeWritten() throws {
    let folder = try prepare()
    folder.shell("chmod 444 a sub/b; chmod 555 sub")
    let listed = try scan(folder)
    try expectFound(listed, in: folder)
    try expectKnown(listed)
    folder.shell("chmod 755 sub")
  }

  /// The copy bears its original's tag, and is known by another UUID: before the tag is written as well as when it
  /// cannot be.
  @Test func ofACopyWithItsTag() throws {
    let folder = try prepare()
    folder.shell("sleep 0.01")
    _ = try Tool.run("id", "--create", folder["a"])
    folder.shell("cp -a a copy; cp -a a .hidden")
    try expectFound(try scan(folder, "--no-tag"), in: folder)
    try expectFound(try scan(folder, "--no-tag", "--hidden"), in: folder)
    if !isRoot { folder.shell("chmod 444 copy") }
    try expectFound(try scan(folder, "--hidden"), in: folder)
  }

  /// A file whose own UUID another has, by a save that was interrupted or a forgery, is known by the next one.
  @Test func ofAFileWhoseUUIDAnotherBears() throws {
    let folder = try prepare()
    let own = try #require(try Tool.run("id", folder["a"]).output.split(separator: " ").first)
    folder.shell("setfattr -n user.fsobserver.uuid -v \(own) sub/b")
    let listed = try scan(folder, "--no-tag")
    #expect(listed[folder["sub/b"]] == String(own) && listed[folder["a"]] != String(own))
    try expectFound(listed, in: folder)
    try expectFound(try scan(folder), in: folder)
  }

  @Test func ofTheFolderItself() throws {
    let folder = try prepare()
    let uuid = try #require(try Tool.run("id", folder.string).output.split(separator: " ").first.map(String.init))
    #expect(try Tool.run("find", uuid, folder.string).lines == [folder.string])
    _ = try scan(folder)
    #expect(try Tool.run("find", uuid, folder.string).lines == [folder.string])
  }

  @Test func aRelativeFolderGivesRelativePaths() throws {
    let folder = try prepare()
    let uuid = try #require(try Tool.run("id", folder["sub/b"]).output.split(separator: " ").first.map(String.init))
    folder.shell("test \"$(\(Tool.path) find \(uuid) . | sort | paste -sd ' ')\" = './linked ./sub/b'")
    folder.shell("test \"$(\(Tool.path) find \(uuid) sub)\" = sub/b")
  }
}

import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation

/// A way in which a file can go, and where its bookmark finds it.
struct BookmarkWay: Sendable, CustomTestStringConvertible {
  typealias Result = BookmarkScene.Result

  let name: String
  var file = BookmarkScene.file
  var isTagged = true
  /// The folders to search.
  var places = ["home", "other"]
  var prepare: @Sendable (Folder) throws -> Void = { _ in }
  let expected: Result
  /// What a process finds that may open files by their handles, if that is not the same.
  var expectedWithHandles: Result?
  let act: @Sendable (Folder) throws -> Void

  var testDescription: String { name }

  init(
    _ name: String, of file: String = BookmarkScene.file, tagged: Bool = true, in places: [String] = ["home", "other"],
    prepare: @escaping @Sendable (Folder) throws -> Void = { _ in }, is expected: Result, withHandles: Result? = nil,
    act: @escaping @Sendable (Folder) throws -> Void
  ) {
    self.name = name
    self.file = file
    isTagged = tagged
    self.places = places
    self.prepare = prepare
    self.expected = expected
    expectedWithHandles = withHandles
    self.act = act
  }
}

// MARK: - Names and places

extension BookmarkWay {
  static let moves = [
    BookmarkWay("nothing happens", is: .at(BookmarkScene.file, [.tag, .inode, .place])) { _ in },
    BookmarkWay("edited in place", is: .at(BookmarkScene.file, [.tag, .inode, .place])) {
      try $0.append(BookmarkScene.file)
    },
    BookmarkWay("renamed", is: .at("home/note.txt", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/note.txt")
    },
    BookmarkWay("renamed to a hidden name", is: .at("home/.letter", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/.letter")
    },
    BookmarkWay("renamed to a name that is not text", is: .at("home/ \\ \n", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/ \\ \n")
    },
    BookmarkWay("moved into a subfolder", is: .at("home/sub/letter.txt", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/sub/letter.txt")
    },
    BookmarkWay("moved to another searched folder", is: .at("other/letter.txt", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay("moved and renamed to a backup name", is: .at("other/letter.bak", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "other/letter.bak")
    },
    BookmarkWay(
      "moved out of what is searched", is: .notFound, withHandles: .at("elsewhere/letter.txt", [.tag, .inode])
    ) { try $0.rename(BookmarkScene.file, "elsewhere/letter.txt") },
    BookmarkWay(
      "renamed, and nothing to search", in: [], is: .notFound, withHandles: .at("home/note.txt", [.tag, .inode])
    ) { try $0.rename(BookmarkScene.file, "home/note.txt") },
    BookmarkWay("put into the trash of a searched folder", is: .at("other/.Trash-0/files/letter.txt", [.tag, .inode])) {
      try $0.makeDirectories("other/.Trash-0/files")
      try $0.rename(BookmarkScene.file, "other/.Trash-0/files/letter.txt")
    },
    BookmarkWay(
      "the folder above renamed", of: "home/deep/letter.txt",
      prepare: {
        try $0.mkdir("home/deep")
        try $0.write("home/deep/letter.txt")
      }, is: .at("home/deeper/letter.txt", [.tag, .inode])
    ) { try $0.rename("home/deep", "home/deeper") },
    BookmarkWay("the searched folder itself renamed", in: ["home2"], is: .at("home2/letter.txt", [.tag, .inode])) {
      try $0.rename("home", "home2")
    },
    BookmarkWay("a hard link added", is: .at(BookmarkScene.file, [.tag, .inode, .place])) {
      try $0.link(BookmarkScene.file, "other/link.txt")
    },
    BookmarkWay("a hard link added, and the first name removed", is: .at("other/link.txt", [.tag, .inode])) {
      try $0.link(BookmarkScene.file, "other/link.txt")
      try $0.unlink(BookmarkScene.file)
    },
    BookmarkWay("of several names, the one that has most in common", is: .at("other/letter.txt", [.tag, .inode])) {
      try $0.link(BookmarkScene.file, "home/a.txt")
      try $0.link(BookmarkScene.file, "other/letter.txt")
      try $0.unlink(BookmarkScene.file)
    },
    BookmarkWay(
      "renamed, by a path with a symbolic link", of: "link/letter.txt", prepare: { try $0.symlink("home", "link") },
      is: .at("link/note.txt", [.tag, .inode])
    ) { try $0.rename(BookmarkScene.file, "home/note.txt") },
    BookmarkWay("exchanged with another", is: .at("other/older.txt", [.tag, .inode])) {
      try $0.exchange(BookmarkScene.file, "other/older.txt")
    },
    BookmarkWay("a symbolic link to it at its place", is: .at("home/note.txt", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/note.txt")
      try $0.symlink("note.txt", BookmarkScene.file)
    },
    BookmarkWay("the folder above is a symbolic link by now", is: .at(BookmarkScene.file, [.tag, .inode, .place])) {
      try $0.rename("home", "home2")
      try $0.symlink("home2", "home")
    },
  ]
}

// MARK: - Saves

extension BookmarkWay {
  static let saves = [
    BookmarkWay("saved by replacement with the tag", is: .at(BookmarkScene.file, [.tag, .place])) {
      try $0.saveByReplacement(BookmarkScene.file, keepingTag: true)
    },
    BookmarkWay("saved by replacement without the tag", is: .at(BookmarkScene.file, [.place])) {
      try $0.saveByReplacement(BookmarkScene.file, keepingTag: false)
    },
    BookmarkWay("removed and written anew", is: .at(BookmarkScene.file, [.place])) {
      try $0.unlink(BookmarkScene.file)
      try $0.write(BookmarkScene.file, "new")
    },
    BookmarkWay(
      "saved without the tag, and nothing searched", in: [], is: .notFound,
      withHandles: .at(BookmarkScene.file, [.place])
    ) { try $0.saveByReplacement(BookmarkScene.file, keepingTag: false) },
    BookmarkWay(
      "saved without the tag, and another folder searched", in: ["other"], is: .notFound,
      withHandles: .at(BookmarkScene.file, [.place])
    ) { try $0.saveByReplacement(BookmarkScene.file, keepingTag: false) },
    BookmarkWay("saved with the tag, and nothing searched", in: [], is: .at(BookmarkScene.file, [.tag, .place])) {
      try $0.saveByReplacement(BookmarkScene.file, keepingTag: true)
    },
    BookmarkWay(
      "renamed to a backup name and written anew, as vim does", is: .at(BookmarkScene.file, [.place, .backup])
    ) {
      try $0.rename(BookmarkScene.file, "home/letter.txt~")
      try $0.write(BookmarkScene.file, "new")
    },
    BookmarkWay(
      "renamed to a backup name and written anew with its attributes",
      is: .at(BookmarkScene.file, [.tag, .place, .backup])
    ) {
      try $0.rename(BookmarkScene.file, "home/letter.bak")
      try $0.copy("home/letter.bak", BookmarkScene.file)
    },
    BookmarkWay(
      "the same by a path with a symbolic link", of: "link/letter.txt", prepare: { try $0.symlink("home", "link") },
      is: .at("link/letter.txt", [.place, .backup])
    ) {
      try $0.rename(BookmarkScene.file, "home/letter.txt~")
      try $0.write(BookmarkScene.file, "new")
    },
    BookmarkWay("the same, and the backup removed", is: .at(BookmarkScene.file, [.place])) {
      try $0.rename(BookmarkScene.file, "home/letter.txt~")
      try $0.write(BookmarkScene.file, "new")
      try $0.unlink("home/letter.txt~")
    },
    BookmarkWay("a hard link as the backup, then replaced", is: .at(BookmarkScene.file, [.place, .backup])) {
      try $0.link(BookmarkScene.file, "home/letter.txt~")
      try $0.saveByReplacement(BookmarkScene.file, keepingTag: false)
    },
    BookmarkWay("copied to a backup with the tag, then edited", is: .at(BookmarkScene.file, [.tag, .inode, .place])) {
      try $0.copy(BookmarkScene.file, "home/letter.txt~")
      try $0.append(BookmarkScene.file)
    },
    BookmarkWay("renamed to a backup name, and nothing in its place", is: .at("home/letter.txt~", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/letter.txt~")
    },
    BookmarkWay(
      "a document with its own tag beside what looks like its backup", is: .at("home/letter.bak", [.tag, .inode])
    ) {
      try $0.rename(BookmarkScene.file, "home/letter.bak")
      try $0.write(BookmarkScene.file, "other")
      try $0.setTag(BookmarkScene.file, UUID())
    },
    BookmarkWay("the identity passed on by an observer", is: .at(BookmarkScene.file, [.tag, .place])) {
      let uuid = try #require(try $0.tag(BookmarkScene.file))
      try $0.rename(BookmarkScene.file, "home/before.txt")
      try $0.setTag("home/before.txt", UUID())
      try $0.write(BookmarkScene.file, "new")
      try $0.setTag(BookmarkScene.file, uuid)
    },
  ]
}

// MARK: - Copies and strangers

extension BookmarkWay {
  static let copies = [
    BookmarkWay("copied with the tag, and kept", is: .at(BookmarkScene.file, [.tag, .inode, .place])) {
      try $0.copy(BookmarkScene.file, "home/a copy.txt")
    },
    BookmarkWay("copied with the tag, and moved", is: .at("home/sub/letter.txt", [.tag, .inode])) {
      try $0.copy(BookmarkScene.file, "other/letter.txt")
      try $0.rename(BookmarkScene.file, "home/sub/letter.txt")
    },
    BookmarkWay("moved, and a copy with the tag put in its place", is: .at("other/moved.txt", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "other/moved.txt")
      try $0.copy("other/moved.txt", BookmarkScene.file)
    },
    BookmarkWay("copied with the tag, and removed", is: .at("other/copy.txt", [.tag])) {
      try $0.copy(BookmarkScene.file, "other/copy.txt")
      try $0.unlink(BookmarkScene.file)
    },
    BookmarkWay("copied twice with the tag, and removed", is: .ambiguous(["other/a.txt", "home/sub/b.txt"])) { folder in
      try folder.copy(BookmarkScene.file, "other/a.txt")
      try BookmarkScene.make("home/sub/b.txt", after: "other/a.txt", in: folder) {
        try folder.copy(BookmarkScene.file, "home/sub/b.txt")
      }
      try folder.unlink(BookmarkScene.file)
    },
    BookmarkWay("saved with the tag, then copied", is: .at(BookmarkScene.file, [.tag, .place])) { folder in
      try folder.saveByReplacement(BookmarkScene.file, keepingTag: true)
      try BookmarkScene.make("other/copy.txt", after: BookmarkScene.file, in: folder) {
        try folder.copy(BookmarkScene.file, "other/copy.txt")
      }
    },
    // Either the copy was made before a save, or the file went there and another came to its place.
    BookmarkWay(
      "copied with the tag, then saved without it", is: .ambiguous(["other/copy.txt", BookmarkScene.file])
    ) { folder in
      try folder.copy(BookmarkScene.file, "other/copy.txt")
      try BookmarkScene.make("home/new", after: "other/copy.txt", in: folder) { try folder.write("home/new") }
      try folder.rename("home/new", BookmarkScene.file)
    },
    BookmarkWay("copied without the tag, and removed", is: .notFound) {
      try Command.run("cp", $0[BookmarkScene.file], $0["home/copy.txt"])
      try $0.unlink(BookmarkScene.file)
    },
    BookmarkWay(
      "a copy of the tree, and the tree kept", in: ["home", "copy"], is: .at("home/note.txt", [.tag, .inode])
    ) {
      try $0.copy("home", "copy")
      try $0.rename(BookmarkScene.file, "home/note.txt")
    },
    BookmarkWay("a copy of the tree, and the tree removed", in: ["copy"], is: .at("copy/letter.txt", [.tag])) {
      try $0.copy("home", "copy")
      $0.folder("home").removeTree()
    },
    BookmarkWay(
      "the bookmark of a copy, which was removed", of: "home/copy.txt",
      prepare: {
        _ = try FileSystemIdentity().claim(forItemAt: FilePath($0[BookmarkScene.file]))
        try $0.copy(BookmarkScene.file, "home/copy.txt")
      }, is: .notFound
    ) { try $0.unlink("home/copy.txt") },
    BookmarkWay("another with its own tag at its place", is: .notFound) {
      try $0.unlink(BookmarkScene.file)
      try $0.write(BookmarkScene.file, "other")
      try $0.setTag(BookmarkScene.file, UUID())
    },
    BookmarkWay("an older file moved to its place", is: .notFound) {
      try $0.rename("other/older.txt", BookmarkScene.file)
    },
    BookmarkWay("moved, and another at its place", is: .at("home/sub/letter.txt", [.tag, .inode])) {
      try $0.rename(BookmarkScene.file, "home/sub/letter.txt")
      try $0.write(BookmarkScene.file, "other")
    },
    // The limit of what can be known: see the documentation.
    BookmarkWay(
      "moved out of what is searched, and another at its place", is: .at(BookmarkScene.file, [.place]),
      withHandles: .at("elsewhere/letter.txt", [.tag, .inode])
    ) {
      try $0.rename(BookmarkScene.file, "elsewhere/letter.txt")
      try $0.write(BookmarkScene.file, "other")
    },
    BookmarkWay("replaced by a folder", is: .notFound) {
      try $0.unlink(BookmarkScene.file)
      try $0.mkdir(BookmarkScene.file)
    },
    BookmarkWay("replaced by a symbolic link", is: .notFound) {
      try $0.unlink(BookmarkScene.file)
      try $0.symlink("../other/older.txt", BookmarkScene.file)
    },
    // A FIFO that was opened would never answer.
    BookmarkWay("replaced by a FIFO", is: .notFound) {
      try $0.unlink(BookmarkScene.file)
      try $0.makeFIFO(BookmarkScene.file)
    },
    BookmarkWay("removed while a program has it open", is: .notFound) {
      let open = try $0.open(BookmarkScene.file, .update)
      try $0.unlink(BookmarkScene.file)
      withExtendedLifetime(open) {}
    },
    BookmarkWay("removed", is: .notFound) { try $0.unlink(BookmarkScene.file) },
    BookmarkWay("removed with its folder", is: .notFound) { $0.folder("home").removeTree() },
    BookmarkWay("a file where its folder was", is: .notFound) {
      $0.folder("home").removeTree()
      try $0.write("home", "no folder")
    },
  ]
}

// MARK: - Tags

extension BookmarkWay {
  static let tags = [
    BookmarkWay("the tag removed", is: .at(BookmarkScene.file, [.inode, .place])) {
      try $0.removeTag(BookmarkScene.file)
    },
    BookmarkWay("the tag removed, and moved", is: .at("other/letter.txt", [.inode])) {
      try $0.removeTag(BookmarkScene.file)
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay("the tag made no UUID", is: .at(BookmarkScene.file, [.inode, .place])) {
      try $0.setAttribute(tagName, of: BookmarkScene.file, to: "nonsense")
    },
    BookmarkWay("the tag overwritten", is: .at(BookmarkScene.file, [.inode, .place])) {
      try $0.setTag(BookmarkScene.file, UUID())
    },
    BookmarkWay("the tag overwritten, and moved", is: .at("other/letter.txt", [.inode])) {
      try $0.setTag(BookmarkScene.file, UUID())
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay(
      "saved before, untagged and tagged again, and moved",
      prepare: {
        _ = try FileSystemIdentity().claim(forItemAt: FilePath($0[BookmarkScene.file]))
        try $0.saveByReplacement(BookmarkScene.file, keepingTag: true)
      }, is: .ambiguous(["other/letter.txt"])
    ) {
      try $0.removeTag(BookmarkScene.file)
      _ = try FileSystemIdentity().claim(forItemAt: FilePath($0[BookmarkScene.file]))
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay("another copied over it with its attributes", is: .at(BookmarkScene.file, [.inode, .place])) {
      _ = try FileSystemIdentity().claim(forItemAt: FilePath($0["other/older.txt"]))
      try $0.copy("other/older.txt", BookmarkScene.file)
    },
    BookmarkWay("without a tag: renamed", tagged: false, is: .at("home/note.txt", [.inode])) {
      try $0.rename(BookmarkScene.file, "home/note.txt")
    },
    BookmarkWay("without a tag: moved", tagged: false, is: .at("other/letter.txt", [.inode])) {
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay("without a tag: tagged later, and moved", tagged: false, is: .at("other/letter.txt", [.tag, .inode])) {
      _ = try FileSystemIdentity().claim(forItemAt: FilePath($0[BookmarkScene.file]))
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay(
      "without a tag: given another identity, and moved", tagged: false, is: .at("other/letter.txt", [.inode])
    ) {
      try $0.setTag(BookmarkScene.file, UUID())
      try $0.rename(BookmarkScene.file, "other/letter.txt")
    },
    BookmarkWay("without a tag: saved by replacement", tagged: false, is: .at(BookmarkScene.file, [.place])) {
      try $0.saveByReplacement(BookmarkScene.file, keepingTag: false)
    },
    BookmarkWay("without a tag: copied, and removed", tagged: false, is: .notFound) {
      try $0.copy(BookmarkScene.file, "other/letter.txt")
      try $0.unlink(BookmarkScene.file)
    },
  ]

  static let others = [
    BookmarkWay("a folder renamed", of: "home/sub", is: .at("home/papers", [.tag, .inode])) {
      try $0.rename("home/sub", "home/papers")
    },
    BookmarkWay("a folder with other contents", of: "home/sub", is: .at("home/sub", [.tag, .inode, .place])) {
      try $0.write("home/sub/a.txt")
    },
    BookmarkWay("a folder removed and made anew", of: "home/sub", is: .notFound) {
      try $0.rmdir("home/sub")
      try $0.mkdir("home/sub")
    },
    BookmarkWay("a folder copied, and removed", of: "home/sub", is: .at("other/sub", [.tag])) {
      try $0.copy("home/sub", "other/sub")
      try $0.rmdir("home/sub")
    },
    BookmarkWay("a folder replaced by a file", of: "home/sub", is: .notFound) {
      try $0.rmdir("home/sub")
      try $0.write("home/sub")
    },
    BookmarkWay(
      "the searched folder is the bookmarked one", of: "home", in: ["moved"], is: .at("moved", [.tag, .inode])
    ) {
      try $0.rename("home", "moved")
    },
    BookmarkWay(
      "a symbolic link renamed", of: "home/link", prepare: { try $0.symlink("letter.txt", "home/link") },
      is: .at("other/link", [.inode])
    ) { try $0.rename("home/link", "other/link") },
    BookmarkWay(
      "a symbolic link made anew", of: "home/link", prepare: { try $0.symlink("letter.txt", "home/link") },
      is: .notFound
    ) {
      try $0.unlink("home/link")
      try $0.symlink("letter.txt", "home/link")
    },
  ]
}

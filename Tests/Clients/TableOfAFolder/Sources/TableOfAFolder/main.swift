// A program with a table of a folder: on the main actor, and in a loop that polls.
//
//     swift run TableOfAFolder FOLDER

import FileSystemObservation
import Glibc

guard let argument = CommandLine.arguments.dropFirst().first else { fail("usage: TableOfAFolder FOLDER") }
let folder = FilePath(argument)
makeFolder(folder.appending("drafts"))
for name in ["letter 2.txt", "letter 10.txt"] { write("Dear Ada", to: folder.appending(name)) }
let observer = FileSystemObserver(directory: folder)
try observer.start()
await observer.synchronize()

// The table is complete at once.
guard let list = observer.itemList(sortedBy: .name.foldersFirst()) else { fail("there is no list of \(folder)") }
let table = Table(of: list)
check(table.names == ["drafts", "letter 2.txt", "letter 10.txt"], "the table begins with \(table.names)")
// The app uploads what others change; what it changes itself it uploads anyway.
let uploads = Uploads(of: observer)

try await createLetter()
try await followOthers()
try await changeOrder()
try await removeLetters()
check(Set(table.names) == Disk.names(in: folder), "the table has \(table.names)")
withExtendedLifetime(table) { uploads.end() }

try followByPolling(observer)
observer.stop()

/// The app's own operation is announced before the call returns, so the row is there at once.
@MainActor func createLetter() async throws {
  let path = folder.appending("letter 1.txt")
  let letter = try await observer.createFile(
    at: path, contents: "Dear Ada".utf8, notifying: .others(than: uploads.token))
  list.update()
  check(table.names == ["drafts", "letter 1.txt", "letter 2.txt", "letter 10.txt"], "the table has \(table.names)")
  check(list.index(of: letter.uuid) == 1 && list[1].path == path, "the row of \(letter.item) is another")

  let renamed = try await observer.renameItem(at: path, to: "to Ada.txt", notifying: .others(than: uploads.token))
  list.update()
  check(table.names.last == "to Ada.txt" && renamed.uuid == letter.uuid, "the table has \(table.names)")
}

/// A row is the same object, whoever renames and saves its file.
@MainActor func followOthers() async throws {
  guard let row = list.first(where: { $0.name == "letter 10.txt" }) else { fail("a row is missing") }
  rename(folder.appending("letter 10.txt"), to: folder.appending("letter 1.txt"))
  await table.wait { $0.names == ["drafts", "letter 1.txt", "letter 2.txt", "to Ada.txt"] }
  check(list[1] === row && row.name == "letter 1.txt", "the row of \(row) is another object")
  write("Dear Ada, how are you?", to: folder.appending(".new"))
  rename(folder.appending(".new"), to: row.path)
  await table.wait { _ in row.size == 22 }
  await observer.synchronize()
  check(uploads.names == ["letter 1.txt"], "the app uploads \(uploads.names)")
}

/// Another order moves only rows that must move.
@MainActor func changeOrder() async throws {
  list.order = .name.reversed().foldersFirst()
  await table.wait { $0.names == ["drafts", "to Ada.txt", "letter 2.txt", "letter 1.txt"] }
  list.filter = { $0.kind == .file }
  await table.wait { $0.names == ["to Ada.txt", "letter 2.txt", "letter 1.txt"] }
  list.filter = nil
  await table.wait { $0.names.count == 4 }
}

/// Several rows go in one batch.
@MainActor func removeLetters() async throws {
  let paths = list.prefix(3).suffix(2).map(\.path)
  let batch = await observer.removeItems(at: paths, notifying: .others(than: uploads.token))
  check(batch.failure == nil && batch.completed.count == 2, "removed: \(batch)")
  list.update()
  check(table.names == ["drafts", "letter 1.txt"], "the table has \(table.names)")
}

import Foundation

/// As many operations as fast as they can be made, all in one tree.
struct StormTask: Sendable {
  let title: String
  /// The letter of the names that are there afterwards.
  let letter: Character
  /// Whether the watcher stands still meanwhile, so that its queue overflows.
  var stopsWatcher = false
  /// What is there before it is watched.
  let prepare: @Sendable (Folder, _ count: Int) throws -> Void
  let act: @Sendable (Folder, _ count: Int) throws -> Void
}

extension StormTask {
  private static let perFolder = 1_000

  static let all = [
    renames("files are renamed", stopsWatcher: false), made, copied,
    renames("files are renamed while the watcher stands still", stopsWatcher: true),
  ]

  static let made = StormTask(
    title: "files are made", letter: "a",
    prepare: { folder, count in try makeFolders(folder, count) },
    act: { folder, count in try forEach(count) { try folder.write("\($0)/\(ToldNames.name("a", $1))", "") } })

  static let copied = StormTask(
    title: "folders of files are copied into the tree (cp -a)", letter: "a",
    prepare: { folder, count in
      let source = Folder(path: folder.path + ".source")
      try FileManager.default.createDirectory(atPath: source.path, withIntermediateDirectories: true)
      try fill(source, count)
    },
    act: { folder, _ in
      let copy = Process()
      copy.executableURL = URL(filePath: "/usr/bin/env")
      copy.arguments = ["cp", "-a", folder.path + ".source", folder["copy"]]
      try copy.run()
      copy.waitUntilExit()
    })

  private static func renames(_ title: String, stopsWatcher: Bool) -> StormTask {
    StormTask(
      title: title, letter: "b", stopsWatcher: stopsWatcher, prepare: fill,
      act: { folder, count in
        try forEach(count) {
          try folder.rename("\($0)/\(ToldNames.name("a", $1))", "\($0)/\(ToldNames.name("b", $1))")
        }
      })
  }

  private static func makeFolders(_ folder: Folder, _ count: Int) throws {
    for number in stride(from: 0, to: count, by: perFolder) { try folder.mkdir("d\(number / perFolder)") }
  }

  @Sendable private static func fill(_ folder: Folder, _ count: Int) throws {
    try makeFolders(folder, count)
    try forEach(count) { try folder.write("\($0)/\(ToldNames.name("a", $1))", "") }
  }

  private static func forEach(_ count: Int, _ body: (_ folder: String, _ number: Int) throws -> Void) rethrows {
    for number in 0..<count { try body("d\(number / perFolder)", number) }
  }
}

// Saves a document in the ways that editors do, and shows that its identity stays.
//
//     swift run IdentityThroughSaves /home/me/Documents

import FileSystemObservation
import FoundationEssentials

// snippet.ways
enum Way: String, CaseIterable {
  case inPlace = "Written in place, as nano does"
  case replaced = "A new file renamed over it, as GTK and Qt do"
  case withBackup = "Renamed to a backup and written anew, as vim and Emacs do"
  case removedFirst = "Removed and made anew"

  func save(_ text: String, to letter: URL) throws {
    let contents = Data("\(text), \(rawValue)".utf8)
    switch self {
    case .inPlace: break
    case .replaced: return try contents.write(to: letter, options: .atomic)
    case .withBackup:
      let backup = letter.appendingPathExtension("bak")
      try? FileManager.default.removeItem(at: backup)
      try FileManager.default.moveItem(at: letter, to: backup)
    case .removedFirst: try FileManager.default.removeItem(at: letter)
    }
    try contents.write(to: letter)
  }
}
// snippet.end

@main struct IdentityThroughSaves {
  static func main() async throws {
    let folder = FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents")
    let letter = URL(filePath: folder.string).appending(path: "letter.txt")
    try Data("Dear Ada".utf8).write(to: letter)

    // snippet.observe
    let observer = FileSystemObserver(directory: folder)
    let token = observer.addNotificationBlock { _, event in
      guard case .didChange(let changes) = event, !changes.isFirstScan else { return }
      for change in changes { print("   ", change) }
    }
    try await observer.start()
    await observer.synchronize()
    print("At first: \(observer.uuid(forItemAt: letter)?.uuidString ?? "not there")")
    for way in Way.allCases {
      print(way.rawValue)
      try way.save("Dear Ada", to: letter)
      await observer.synchronize()
      print("    the UUID is \(observer.uuid(forItemAt: letter)?.uuidString ?? "gone")")
    }
    // snippet.end
    withExtendedLifetime(token) { observer.stop() }
  }
}

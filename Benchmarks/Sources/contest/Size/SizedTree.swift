import FileSystemObservation

/// A tree of which one half is a folder with many folders of 20 files, and the other one wide folder.
final class SizedTree {
  private let folder: Folder
  private let observer = Observer()

  init(in base: Folder, files: Int, changes: Int) throws {
    try base.mkdir("\(files)")
    folder = base.appending("\(files)")
    for name in ["r", "wide", "deep0"] { try folder.mkdir(name) }
    for number in 0..<changes { try folder.write("r/\(number).0", "") }
    try folder.write("wide/file.0", "")
    for number in 0..<files / 2 { try folder.write("wide/\(number)", "") }
    for number in 0..<files / 2 {
      if number % 20 == 0 { try folder.mkdir("deep0/\(number / 20)") }
      try folder.write("deep0/\(number / 20)/\(number)", "")
    }
    try observer.begin(in: folder)
  }

  func time(of task: SizeTask, _ round: Int) throws -> Duration {
    let (change, path) = task.last(round)
    let start = Moment.now
    try task.act(folder, round)
    return try observer.sightings.time(of: .init(word: change.rawValue, path: folder[path])) - start
  }

  func end() { observer.end() }
}

import FileSystemObservation
import SystemPackage

/// An operation whose latency is measured, over and over, each time with another number.
struct LatencyTask {
  let title: String
  /// Whether what it means shows only after a while: then many are done at once, and awaited together.
  let isDoubtful: Bool
  /// What must be there before the first.
  var prepare: (Folder, _ count: Int) throws -> Void = { _, _ in }
  let act: (Folder, _ number: Int) throws -> Void
  let happening: (Folder, _ number: Int) -> Happening
}

extension LatencyTask {
  /// Told at once: both ends are known.
  static func certain(files: Int) -> [LatencyTask] {
    [
      LatencyTask(
        title: "a file is renamed", isDoubtful: false,
        prepare: { folder, _ in try folder.write("r0.txt") },
        act: { try $0.rename("r\($1).txt", "r\($1 + 1).txt") },
        happening: { Happening(change: .renamed, event: "MOVED_TO", path: $0["r\($1 + 1).txt"]) }),
      LatencyTask(
        title: "a file is moved to another folder", isDoubtful: false,
        prepare: { folder, _ in
          for name in ["m0", "m1"] { try folder.mkdir(name) }
          try folder.write("m0/0.txt")
        },
        act: { try $0.rename("m\($1 % 2)/\($1).txt", "m\(($1 + 1) % 2)/\($1 + 1).txt") },
        happening: { Happening(change: .moved, event: "MOVED_TO", path: $0["m\(($1 + 1) % 2)/\($1 + 1).txt"]) }),
      LatencyTask(
        title: "a folder of \(files) files is renamed", isDoubtful: false,
        prepare: { folder, _ in
          try folder.mkdir("f0")
          for number in 0..<files { try folder.write("f0/\(number).txt") }
        },
        act: { try $0.rename("f\($1)", "f\($1 + 1)") },
        happening: { Happening(change: .renamed, event: "MOVED_TO", path: $0["f\($1 + 1)"]) }),
      LatencyTask(
        title: "a folder is made", isDoubtful: false,
        act: { try $0.mkdir("n\($1)") },
        happening: { Happening(change: .discovered, event: "CREATE", path: $0["n\($1)"]) }),
    ]
  }

  private static func documents(_ letter: String) -> (Folder, Int) throws -> Void {
    { folder, count in for number in 0..<count { try folder.write("\(letter)\(number).txt") } }
  }

  /// Told when it is known what it was: a save, a rename, a removal; whether it is complete.
  static var doubtful: [LatencyTask] {
    [
      LatencyTask(
        title: "a document is renamed to a backup's name", isDoubtful: true, prepare: documents("b"),
        act: { try $0.rename("b\($1).txt", "b\($1).txt~") },
        happening: { Happening(change: .renamed, event: "MOVED_TO", path: $0["b\($1).txt~"]) }),
      LatencyTask(
        title: "a document is saved by a rename over it", isDoubtful: true, prepare: documents("o"),
        act: {
          try $0.write("o\($1).tmp")
          try $0.rename("o\($1).tmp", "o\($1).txt")
        },
        happening: { Happening(change: .modified, event: "MOVED_TO", path: $0["o\($1).txt"]) }),
      LatencyTask(
        title: "a document is saved, with a backup by rename", isDoubtful: true, prepare: documents("k"),
        act: {
          try $0.rename("k\($1).txt", "k\($1).txt~")
          try $0.write("k\($1).txt")
        },
        happening: { Happening(change: .modified, event: "CLOSE_WRITE", path: $0["k\($1).txt"]) }),
      LatencyTask(
        title: "a document is written in place", isDoubtful: true, prepare: documents("w"),
        act: { try $0.write("w\($1).txt", "other content") },
        happening: { Happening(change: .modified, event: "CLOSE_WRITE", path: $0["w\($1).txt"]) }),
      LatencyTask(
        title: "a new file is written", isDoubtful: true,
        act: { try $0.write("c\($1).txt") },
        happening: { Happening(change: .copyFinished, event: "CLOSE_WRITE", path: $0["c\($1).txt"]) }),
      LatencyTask(
        title: "a file is removed", isDoubtful: true, prepare: documents("d"),
        act: { try $0.unlink("d\($1).txt") },
        happening: { Happening(change: .deleted, event: "DELETE", path: $0["d\($1).txt"]) }),
    ]
  }
}

import FileSystemObservation

/// What is done in trees of different sizes.
struct SizeTask {
  let title: String
  let act: (Folder, _ round: Int) throws -> Void
  /// What is told last.
  let last: (_ round: Int) -> (change: FileSystemChange.Kind, path: String)
}

extension SizeTask {
  static func all(changes: Int, few: Int, many: Int) -> [SizeTask] {
    [
      SizeTask(
        title: "\(changes) files are renamed",
        act: { folder, round in
          for number in 0..<changes { try folder.rename("r/\(number).\(round)", "r/\(number).\(round + 1)") }
        },
        last: { (.renamed, "r/\(changes - 1).\($0 + 1)") }),
      SizeTask(
        title: "the folder of \(few / 2) or \(many / 2) folders and files is renamed",
        act: { try $0.rename("deep\($1)", "deep\($1 + 1)") }, last: { (.renamed, "deep\($0 + 1)") }),
      SizeTask(
        title: "a file is renamed beside \(few / 2) or \(many / 2) others",
        act: { try $0.rename("wide/file.\($1)", "wide/file.\($1 + 1)") }, last: { (.renamed, "wide/file.\($0 + 1)") }),
    ]
  }
}

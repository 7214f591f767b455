import FileIdentity
import FileSystemObservation
import FileTestSupport
import SystemPackage

/// An operation, and the states that there may be in its middle besides the old and the new one.
struct Operation: Sendable {
  /// The system calls of the commit that are seen one by one.
  enum Middle: Sendable {
    case none
    /// The copy is there, and the original still is.
    case both
    /// The info file is there already, or still.
    case info
    /// Folders above the item have been made.
    case folders
  }

  let name: String
  var middle = Middle.none
  /// Prepares what is not in every scene.
  var prepare: @Sendable (DocumentOperations, Scene) throws -> FileSystemObserver.TrashedItem? = { _, _ in nil }
  let run: @Sendable (DocumentOperations, Scene, FileSystemObserver.TrashedItem?) throws -> Void

  /// The states that are permitted.
  func permitted(from old: SceneState, to new: SceneState) -> [SceneState] {
    switch middle {
    case .none: [old, new]
    case .both: [old, new.adding(old), new]
    case .info: [old, old.adding(new) { $0.hasSuffix("info") }, new.adding(old) { $0.hasSuffix("info") }, new]
    case .folders:
      [
        old, old.adding(new) { $0 == "gone" || $0 == "gone/deep" }, new.adding(old) { $0.hasSuffix("info") }, new,
      ]
    }
  }

  static let all: [Operation] = files + folders + between + trash

  private static let files: [Operation] = [
    Operation(name: "replace") { operations, scene, _ in
      try operations.replaceContents(of: scene.folder.appending("document.txt"), with: [1, 2, 3], uuid: nil)
    },
    Operation(name: "save") { operations, scene, _ in
      let path = scene.folder.appending("document.txt")
      let version = try operations.version(ofItemAt: path)
      _ = try operations.replaceContents(of: path, with: [1, 2, 3], ifUnchangedSince: version, uuid: nil)
    },
    Operation(name: "createFile") { operations, scene, _ in
      _ = try operations.createFile(at: scene.folder.appending("new"), contents: [1, 2, 3])
    },
    Operation(name: "duplicate") { operations, scene, _ in
      _ = try operations.duplicate(scene.folder.appending("document.txt"), to: scene.folder.appending("new"))
    },
    Operation(name: "move") { operations, scene, _ in
      _ = try operations.move(scene.folder.appending("document.txt"), to: scene.folder.appending("there/new"))
    },
    Operation(name: "moveOver") { operations, scene, _ in
      let (source, target) = (scene.folder.appending("document.txt"), scene.folder.appending("second.txt"))
      _ = try operations.move(source, to: target, overwrites: true)
    },
    Operation(name: "remove") { operations, scene, _ in
      try operations.remove(scene.folder.appending("document.txt"))
    },
  ]

  private static let folders: [Operation] = [
    Operation(name: "createFolders") { operations, scene, _ in
      _ = try operations.createFolder(at: scene.folder.appending("new/deep/er"), withIntermediates: true)
    },
    Operation(name: "duplicateFolder") { operations, scene, _ in
      _ = try operations.duplicate(scene.folder.appending("tree"), to: scene.folder.appending("new"))
    },
    Operation(name: "moveFolder") { operations, scene, _ in
      _ = try operations.move(scene.folder.appending("tree"), to: scene.folder.appending("there/new"))
    },
    Operation(name: "removeFolder") { operations, scene, _ in
      try operations.remove(scene.folder.appending("tree"))
    },
    Operation(name: "replaceFolder") { operations, scene, _ in
      _ = try operations.replaceContents(ofFolder: scene.folder.appending("tree"), uuid: nil) { path in
        try PlainFiles.write([1], to: path.appending("a"))
        try PlainFiles.makeFolder(at: path.appending("added"))
        try PlainFiles.write([2], to: path.appending("added/b"))
      }
    },
  ]

  private static let between: [Operation] = [
    Operation(name: "moveBetween", middle: .both) { operations, scene, _ in
      _ = try operations.move(scene.folder.appending("document.txt"), to: scene.other.appending("new"))
    },
    Operation(name: "moveBetweenOver", middle: .both) { operations, scene, _ in
      let (source, target) = (scene.folder.appending("document.txt"), scene.other.appending("taken"))
      _ = try operations.move(source, to: target, overwrites: true)
    },
    Operation(name: "moveFolderBetween", middle: .both) { operations, scene, _ in
      _ = try operations.move(scene.folder.appending("tree"), to: scene.other.appending("new"))
    },
  ]

  private static let trash: [Operation] = [
    Operation(name: "trash", middle: .info) { operations, scene, _ in
      _ = try operations.trash(scene.folder.appending("document.txt"), places: scene.trash)
    },
    Operation(name: "trashFolder", middle: .info) { operations, scene, _ in
      _ = try operations.trash(scene.folder.appending("tree"), places: scene.trash)
    },
    Operation(
      name: "restore", middle: .info,
      prepare: { operations, scene in
        try operations.trash(scene.folder.appending("tree"), places: scene.trash).trashedItem
      },
      run: { operations, _, item in if let item { _ = try operations.restore(item) } }),
    Operation(
      name: "restoreWithFolders", middle: .folders,
      prepare: { operations, scene in
        try operations.trash(scene.folder.appending("document.txt"), places: scene.trash).trashedItem
      },
      run: { operations, scene, item in
        let place = scene.folder.appending("gone/deep/document.txt")
        if let item { _ = try operations.restore(item, to: place) }
      }),
  ]
}

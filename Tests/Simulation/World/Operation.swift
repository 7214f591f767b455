import FileIdentity
package import FileSystemObservation

/// What a program means to do, as far as it is told what the observer is to make of it.
package enum Intent: Sendable, Codable {
  /// Nothing is expected beyond what holds always.
  case anything
  /// The document at the path is written anew, by whatever way.
  ///
  /// - Parameter isPlain: Whether it is told as modified and as nothing else.
  case save(Path, isPlain: Bool)
  /// The document of several files at the path is made anew, with some of its files.
  case saveFolder(Path)
  /// A document gets another path, where nothing stands, and is written anew before or after; or another is made by the
  /// name it had.
  case saveAndMove(Path, to: Path)
  /// An item gets another path, where nothing stands.
  case move(Path, to: Path)
  /// A file comes into being.
  case create(Path)
  /// A file is copied to where nothing stands.
  case copy(Path, to: Path, carriesTag: Bool)
  /// A document's file is given other content, which is a copy of another's.
  case copyOver(Path, to: Path)
  /// An item goes for good, by its last name or out of the tree.
  case remove(Path, DeletionReason)
  /// A document is copied with its tag to where nothing stands, and removed: so `mv` does it between file systems.
  case moveByCopying(Path, to: Path)
  /// The same with a folder, sooner or later.
  case moveTreeByCopying(Path, to: Path)
  /// A document takes the place of another.
  case moveOver(Path, to: Path)
  /// Two documents change places, at once or over a third name.
  case exchange(Path, Path, isDirect: Bool)
  /// Documents get one another's names and others, to and fro, and each is in the end at the place given for it.
  case shuffle([Path], to: [Path])
  /// Something is done to an item that is nothing to tell of.
  case leave(Path)
  /// A document's time of modification is set.
  case change(Path)
}

/// A program that runs in the simulated machine: its steps are fixed when it starts, and interleaved with those of
/// others.
package struct Operation: Sendable, Codable {
  package var id: Int
  package var title: String
  package var steps: [Step]
  package var intent: Intent
  /// What it looks at without changing it.
  package var reads: [Path] = []
  /// What it changes, with the names it uses meanwhile.
  package var writes: [Path] = []

  /// Whether it takes a tag away, or gives a file another one.
  var changesTag: Bool { ["strip tag", "spoil tag", "forge tag"].contains(title) }

  /// Whether an app asks its observer to do it.
  var isOwn: Bool { steps.contains { $0.action.own != nil } }
}

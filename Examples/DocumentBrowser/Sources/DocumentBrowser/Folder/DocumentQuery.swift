import BrowserModel
import FileSystemObservation

/// Which documents the table has.
struct DocumentQuery: Equatable {
  /// What a person chooses at the side.
  enum Choice: Hashable {
    case all, favourites, noted
    case label(ColourLabel)
    case kind(KindGroup)
  }

  var choice = Choice.all
  /// What is searched for, in names and in notes.
  var words = ""

  /// Whether some documents are left out.
  var isLimiting: Bool { choice != .all || !words.isEmpty }

  /// The filter of a list on the main actor.
  ///
  /// When some annotations have changed, the list must reload these documents.
  func filter(_ annotations: Annotations) -> (@Sendable (FileSystemItem.Snapshot) -> Bool)? {
    guard isLimiting else { return nil }
    let (choice, words) = (choice, words.folded)
    return { item in
      let annotation = MainActor.assumeIsolated { annotations[item.uuid] }
      guard choice.contains(item, annotation) else { return false }
      return words.isEmpty || item.name.folded.contains(words) || annotation.note.folded.contains(words)
    }
  }
}

extension DocumentQuery.Choice {
  /// Whether a document is one that is asked for.
  nonisolated fileprivate func contains(_ item: FileSystemItem.Snapshot, _ annotation: Annotation) -> Bool {
    switch self {
    case .all: true
    case .favourites: annotation.isFavourite
    case .noted: !annotation.note.isEmpty
    case .label(let label): annotation.label == label
    case .kind(let kind): kind.contains(item)
    }
  }
}

extension String {
  /// The text as searches compare it: without regard to case, and to how accents are written.
  nonisolated fileprivate var folded: String { lowercased() }
}

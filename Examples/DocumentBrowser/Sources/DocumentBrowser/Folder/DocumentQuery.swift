import BrowserModel
import FileSystemObservation
import FoundationEssentials

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
  /// The documents with the annotations that the choice asks for, and those whose notes have the words.
  private var annotated: Set<UUID> = []
  private var noted: Set<UUID> = []

  /// Whether some documents are left out.
  var isLimiting: Bool { choice != .all || !words.isEmpty }

  /// Takes the annotations as they are; whether other documents match now.
  mutating func update(_ annotations: Annotations) -> Bool {
    let before = self
    annotated = Set(annotations.annotated.filter { choice.contains(annotations[$0]) })
    let words = words.folded
    noted = words.isEmpty ? [] : Set(annotations.annotated.filter { annotations[$0].note.folded.contains(words) })
    return self != before
  }

  /// The filter of a list, which depends on nothing but the document: it is another if annotations have changed.
  var filter: (@Sendable (FileSystemItem.Snapshot) -> Bool)? {
    guard isLimiting else { return nil }
    let (choice, annotated, noted, words) = (choice, annotated, noted, words.folded)
    return { item in
      let isChosen =
        switch choice {
        case .all: true
        case .favourites, .noted, .label: annotated.contains(item.uuid)
        case .kind(let kind): kind.contains(item)
        }
      return isChosen && (words.isEmpty || item.name.folded.contains(words) || noted.contains(item.uuid))
    }
  }
}

extension DocumentQuery.Choice {
  /// Whether an annotation is what the choice asks for.
  fileprivate func contains(_ annotation: Annotation) -> Bool {
    switch self {
    case .favourites: annotation.isFavourite
    case .noted: !annotation.note.isEmpty
    case .label(let label): annotation.label == label
    case .all, .kind: false
    }
  }
}

extension String {
  /// The text as searches compare it: without regard to case, and to how accents are written.
  nonisolated fileprivate var folded: String { lowercased() }
}

internal import FileSystemObservation
internal import SystemPackage

/// What happened, in plain English: the predicate of a sentence whose subject is the title of an entry.
struct Sentence: Sendable, Hashable {
  /// The subject, for example `report.odt` or `1,204 documents`.
  let title: String
  /// The predicate, for example `was renamed from draft.odt, saved by another program`.
  let detail: String
  /// The name of a symbolic icon of the theme.
  let icon: String
}

extension Sentence {
  /// A part of a predicate: `was`, `renamed from draft.odt`, by another.
  private struct Clause {
    var verb: String
    var text: String
    var isByOther = false
    /// What follows after who did it.
    var ending = ""
  }

  /// The sentence of one document.
  ///
  /// - Parameter root: The folder that is open, by whose name its own items are in it.
  init(_ story: DocumentStory, in root: FilePath) {
    let clauses = Self.ends(story, root) + Self.moves(story, root) + Self.saves(story) + Self.departures(story)
    self.init(title: story.path.name, detail: Self.join(clauses), icon: Self.icon(story.key.deed, story))
  }

  private static func ends(_ story: DocumentStory, _ root: FilePath) -> [Clause] {
    let isByOther = story.departure == nil && story.makers.contains(.other)
    // Where it came to, if it was moved since.
    let place = (story.formerPath ?? story.path).removingLastComponent()
    let to = place == root ? "" : " to \(place.name)"
    let contents = story.contents.isEmpty ? "" : ", with \(count(story.contents.count, "item")) in it"
    switch story.arrival {
    case nil: return []
    case .added?: return [Clause(verb: "was", text: "added\(to)", isByOther: isByOther, ending: contents)]
    case .copying?: return [Clause(verb: "is", text: "being copied\(to)", isByOther: isByOther)]
    case .copied?: return [Clause(verb: "was", text: "copied\(to)", isByOther: isByOther)]
    case .duplicate(let original)?:
      return [Clause(verb: "is", text: "a copy of \(name(of: original, seenFrom: story.path, root))\(contents)")]
    case .returned?:
      let text = place == root ? "back" : "back in \(place.name)"
      return [Clause(verb: "is", text: text + contents)]
    case .furtherName?: return [Clause(verb: "is", text: "a further name of a document")]
    }
  }

  private static func moves(_ story: DocumentStory, _ root: FilePath) -> [Clause] {
    guard let former = story.formerPath else { return [] }
    let isByOther = story.movers.contains(.other)
    let (from, to) = (former.removingLastComponent(), story.path.removingLastComponent())
    var clauses: [Clause] = []
    if from != to {
      clauses.append(Clause(verb: "was", text: "moved from \(from.name) to \(to.name)", isByOther: isByOther))
    }
    if former.lastComponent != story.path.lastComponent {
      clauses.append(Clause(verb: "was", text: "renamed from \(former.name)", isByOther: isByOther))
    }
    return clauses
  }

  private static func saves(_ story: DocumentStory) -> [Clause] {
    guard story.isSaved, story.arrival != .copying else { return [] }
    // Nobody saw it happen: it may be a save, or another time of modification.
    if story.savers == [.unknown] { return [Clause(verb: "was", text: "changed")] }
    return [Clause(verb: "was", text: "saved", isByOther: story.savers.contains(.other))]
  }

  private static func departures(_ story: DocumentStory) -> [Clause] {
    let contents = story.contents.isEmpty ? "" : ", with \(count(story.contents.count, "item")) in it"
    let isByOther = story.makers.contains(.other)
    switch story.departure {
    case nil: return []
    case .nameRemoved?: return [Clause(verb: "was", text: "removed, but the document has other names")]
    case .deleted(let reason)?:
      let (verb, text) = predicate(of: reason)
      return [Clause(verb: verb, text: text, isByOther: isByOther && reason.isADeed, ending: contents)]
    }
  }

  private static func predicate(of reason: DeletionReason) -> (verb: String, text: String) {
    switch reason {
    case .trashed: ("was", "moved to the trash")
    case .movedOut: ("was", "moved out of this folder")
    case .replaced: ("was", "replaced by another document")
    case .unmounted: ("is", "out of reach, because its disk is not mounted")
    default: ("was", "deleted")
    }
  }

  /// Joins clauses: what follows the same verb, by the same, is said once.
  private static func join(_ clauses: [Clause]) -> String {
    var parts: [String] = []
    var rest = clauses[...]
    var verb = ""
    while let first = rest.first {
      let alike = rest.prefix { $0.verb == first.verb && $0.isByOther == first.isByOther }
      rest = rest.dropFirst(alike.count)
      let start = first.verb == verb ? "" : first.verb + " "
      verb = first.verb
      let who = first.isByOther ? " by another program" : ""
      parts.append(start + list(alike.map(\.text)) + who + alike.map(\.ending).joined())
    }
    return parts.joined(separator: ", ")
  }

  private static func list(_ texts: [String]) -> String {
    guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The name of another document, with its folder if the name alone does not tell it.
  private static func name(of path: FilePath, seenFrom other: FilePath, _ root: FilePath) -> String {
    let folder = path.removingLastComponent()
    return folder == other.removingLastComponent() ? path.name : "\(path.name) in \(folder.name)"
  }
}

// MARK: - Groups

extension Sentence {
  /// The sentence of many documents alike.
  init(_ group: StoryGroup) {
    let number = group.members.count
    let noun = group.folderCount == 0 ? "document" : group.folderCount == number ? "folder" : "item"
    let contents = group.contents.isEmpty ? "" : ", with \(Self.count(group.contents.count, "item")) in them"
    let isByOther = group.key.isByOther == true
    self.init(
      title: Self.count(number, noun),
      detail: Self.predicate(group.key) + (isByOther && group.key.deed.isADeed ? " by another program" : "") + contents,
      icon: Self.icon(group.key.deed, nil))
  }

  private static func predicate(_ key: StoryGroup.Key) -> String {
    let folder = key.folder.name
    switch key.deed {
    case .added: return "were added to \(folder)"
    case .duplicated: return "in \(folder) are copies of others"
    case .returned: return "are back in \(folder)"
    case .named: return "in \(folder) are further names of documents"
    case .renamed: return "were renamed in \(folder)"
    case .moved: return "were moved to \(folder)"
    case .saved: return key.isByOther == nil ? "were changed in \(folder)" : "were saved in \(folder)"
    case .nameRemoved: return "were removed from \(folder), but the documents have other names"
    case .deleted(.trashed): return "were moved from \(folder) to the trash"
    case .deleted(.movedOut): return "were moved out of \(folder)"
    case .deleted(.replaced): return "in \(folder) were replaced by others"
    case .deleted(.unmounted): return "in \(folder) are out of reach, because their disk is not mounted"
    case .deleted: return "were deleted from \(folder)"
    }
  }
}

// MARK: - Words

extension Sentence {
  /// What is told where nobody knows what happened.
  static func gap(in root: FilePath) -> Sentence {
    Sentence(
      title: root.name, detail: "has changed, but it is not known what happened while the app was not running",
      icon: "dialog-question-symbolic")
  }
}

extension Sentence {
  /// A number with its noun: `1 document`, `1,204 documents`.
  static func count(_ number: Int, _ noun: String) -> String {
    var digits = String(number)
    var end = digits.endIndex
    while let comma = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex), comma > digits.startIndex {
      digits.insert(",", at: comma)
      end = comma
    }
    return number == 1 ? "1 \(noun)" : "\(digits) \(noun)s"
  }

  private static func icon(_ deed: StoryGroup.Deed, _ story: DocumentStory?) -> String {
    if story?.arrival == .copying { return "content-loading-symbolic" }
    return switch deed {
    case .added: "list-add-symbolic"
    case .duplicated: "edit-copy-symbolic"
    case .returned: "edit-undo-symbolic"
    case .named, .nameRemoved: "insert-link-symbolic"
    case .renamed: "document-edit-symbolic"
    case .moved: "folder-symbolic"
    case .saved: "accessories-text-editor-symbolic"
    case .deleted(.trashed): "user-trash-symbolic"
    case .deleted(.movedOut): "go-jump-symbolic"
    case .deleted(.unmounted): "media-eject-symbolic"
    case .deleted: "edit-delete-symbolic"
    }
  }
}

extension DeletionReason {
  /// Whether a program did it to this document, so that it can be said who.
  fileprivate var isADeed: Bool { self == .removed || self == .trashed || self == .movedOut }
}

extension StoryGroup.Deed {
  fileprivate var isADeed: Bool {
    switch self {
    case .deleted(let reason): reason.isADeed
    case .duplicated, .returned, .named, .nameRemoved: false
    default: true
    }
  }
}

extension FilePath {
  /// The last component for a person to read; `/` for the root.
  var name: String { lastComponent?.string ?? "/" }
}

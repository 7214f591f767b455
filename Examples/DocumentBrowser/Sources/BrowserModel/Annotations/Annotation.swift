/// The colour of a label.
public enum ColourLabel: String, CaseIterable, Sendable, Codable {
  /// Red.
  case red
  /// Orange.
  case orange
  /// Yellow.
  case yellow
  /// Green.
  case green
  /// Blue.
  case blue
  /// Purple.
  case purple
  /// Grey.
  case grey

  /// The name of the colour as a person reads it, for example `Red`.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// What a person has noted about a document.
///
/// It belongs to the document's UUID, not to its path: it stays through every rename, move and save.
public struct Annotation: Sendable, Hashable {
  /// Whether the document is a favourite.
  public var isFavourite: Bool
  /// The label, if it has one.
  public var label: ColourLabel?
  /// The note; empty if there is none.
  public var note: String

  /// Makes an annotation.
  public init(isFavourite: Bool = false, label: ColourLabel? = nil, note: String = "") {
    self.isFavourite = isFavourite
    self.label = label
    self.note = note
  }

  /// Whether nothing is noted.
  public var isEmpty: Bool { self == Annotation() }

  /// What a copy of the document gets, its label and its note; `nil` if there is neither.
  ///
  /// A favourite is one document, not each of its copies.
  var ofCopy: Annotation? {
    let copy = Annotation(label: label, note: note)
    return copy.isEmpty ? nil : copy
  }
}

package import FoundationEssentials

/// A file whose identity a test knows, because it is only ever renamed, moved and saved.
package struct Document: Sendable {
  package let uuid: UUID
  /// The number of the folder in the tree, and the name in it.
  package var folder: Int
  package var name: String
  /// A second hard link to it, in the same folder.
  package var link: String?
  /// Until when its last save must be left alone.
  package var restsUntil: Moment?
  /// Until when it must not leave the tree: a copy whose original goes is taken for the original moved.
  package var staysUntil = Moment.now
  /// Whether it was outside the tree at any time.
  package var wasOutside = false
  /// How long the system calls of a save that replaced it took: microseconds, unless the machine stood still.
  package var longestSave = Duration.zero
  /// What was done to it.
  package var history: [String] = []
}

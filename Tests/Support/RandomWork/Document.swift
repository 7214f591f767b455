package import FoundationEssentials

/// A file whose identity a test knows, because the file is only renamed, moved and saved.
package struct Document: Sendable {
  package let uuid: UUID
  /// The number of its folder in the tree, and its name there.
  package var folder: Int
  package var name: String
  /// A second hard link in the same folder.
  package var link: String?
  /// Until when the file must rest after its last save.
  package var restsUntil: Moment?
  /// Until when the file must stay in the tree: a copy whose original goes is taken for the original, moved.
  package var staysUntil = Moment.now
  /// Whether the file was ever outside the tree.
  package var wasOutside = false
  /// The longest time that the system calls of a replacing save took: microseconds, unless the machine stood still.
  package var longestSave = Duration.zero
  /// The operations on the file.
  package var history: [String] = []
}

import FoundationEssentials
import ObservationTestSupport

/// A file whose identity a test knows, because it is only ever renamed, moved and saved.
struct Document: Sendable {
  let uuid: UUID
  /// The number of the folder in the tree, and the name in it.
  var folder: Int
  var name: String
  /// A second hard link to it, in the same folder.
  var link: String?
  /// Until when its last save must be left alone.
  var restsUntil: Moment?
  /// Until when it must not leave the tree: a copy whose original goes is taken for the original moved.
  var staysUntil = Moment.now
  /// Whether it was outside the tree at any time.
  var wasOutside = false
  /// What was done to it.
  var history: [String] = []
}

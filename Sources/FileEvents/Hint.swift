package import LinuxFileSystem

/// One hint: "look at this name in this directory".
///
/// It is no fact: it may be merged, late, doubled or out of date.
package struct Hint: Equatable, Sendable {
  package var directory: MarkID
  package var kinds: HintKinds
  package var traits: HintTraits
  /// Joins the two hints of one rename; 0 otherwise.
  package var cookie: UInt32
  /// The entry; none where the hint is about the marked directory itself.
  package var name: FileName?
  /// The file, where the source knows.
  package var file: HintedFile?

  package init(
    directory: MarkID, kinds: HintKinds, traits: HintTraits = [], cookie: UInt32 = 0, name: FileName? = nil,
    file: HintedFile? = nil
  ) {
    self.directory = directory
    self.kinds = kinds
    self.traits = traits
    self.cookie = cookie
    self.name = name
    self.file = file
  }
}

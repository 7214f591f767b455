package import LinuxFileSystem

/// A hint: "look at this name in this directory".
///
/// A hint is not a fact: it may be merged, late, duplicated or out of date.
package struct Hint: Equatable, Sendable {
  package var directory: MarkID
  package var kinds: HintKinds
  package var traits: HintTraits
  /// The same number in both hints of a rename; 0 otherwise.
  package var cookie: UInt32
  /// The entry; none if the hint is about the marked directory itself.
  package var name: FileName?
  /// The file, if the source knows it.
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

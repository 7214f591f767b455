internal import LinuxFileSystem

extension FileSystemObserver {
  /// What to call an item whose name is taken.
  ///
  /// The name gets a number or a word before its extension, and the first such name that is free is used:
  ///
  /// | | `report.odt` | then |
  /// | --- | --- | --- |
  /// | ``numbered`` | `report (2).odt` | `report (3).odt` |
  /// | ``copy`` | `report (copy).odt` | `report (copy 2).odt` |
  /// | `ItemNaming(word: "Kopie")` | `report (Kopie).odt` | `report (Kopie 2).odt` |
  ///
  /// An item that has such a name gets the next: a copy of `report (copy).odt` is `report (copy 2).odt`. `.tar.gz` is one
  /// extension; folders have none, nor has `.profile`. A name that would be longer than 255 bytes is shortened before
  /// the number.
  public struct ItemNaming: Sendable, Hashable {
    /// Names with a number, for items that are put beside others of their name.
    public static let numbered = ItemNaming(anyWord: nil)
    /// Names with the word “copy”, for copies beside their originals.
    public static let copy = ItemNaming(word: "copy")

    /// The word; `nil` for numbers alone.
    private let word: String?

    /// Names with a word, for example “copy” in the language of the user.
    ///
    /// - Parameter word: The word. A slash or a NUL in it becomes a hyphen.
    public init(word: String) {
      self.init(anyWord: String(word.map { $0 == "/" || $0 == "\0" ? "-" : $0 }))
    }

    private init(anyWord word: String?) {
      self.word = word
    }

    /// The names after that of an item.
    func names(after name: FileName, isFolder: Bool) -> NameSeries {
      NameSeries(of: name, isFolder: isFolder, word: word)
    }
  }
}

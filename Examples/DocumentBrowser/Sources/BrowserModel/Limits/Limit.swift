/// Something that keeps the app from knowing everything, in words for a banner.
public struct Limit: Sendable, Hashable, Identifiable {
  /// What it is; the gravest first.
  public enum Kind: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// The folder is gone.
    case folderLost
    /// The disk of documents does not answer.
    case diskNotAnswering
    /// What a person notes cannot be kept.
    case notKept
    /// Documents are known by their inode only: no tag can be written.
    case noTags
    /// The kernel watches no more folders.
    case watches
    /// Changes are found by looking again and again.
    case networkFolder
    /// Folders cannot be listed.
    case unreadableFolders
    /// What happens while the app is not running cannot be told.
    case noStore

    /// Whether one is graver than another.
    public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// What it is.
  public let kind: Kind
  /// What the matter is, in one sentence.
  public let title: String
  /// What to do, in one sentence.
  public let advice: String
  /// A command that a person can run in a terminal, if one helps.
  public let command: String?

  /// What it is.
  public var id: Kind { kind }

  /// Makes a limit.
  public init(_ kind: Kind, title: String, advice: String, command: String? = nil) {
    self.kind = kind
    self.title = title
    self.advice = advice
    self.command = command
  }
}

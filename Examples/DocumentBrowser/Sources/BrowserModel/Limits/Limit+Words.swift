internal import FileSystemObservation
internal import SystemPackage

// The words for what an observer says.

extension Limit {
  /// The limit that a diagnostic is about; `nil` for what a person need not know.
  init?(_ diagnostic: FileSystemObserver.Diagnostic) {
    let name = diagnostic.path?.lastComponent?.string ?? "a folder"
    switch diagnostic.code {
    case .limitReached: self.init(limitReached: diagnostic)
    case .unreadableFolder:
      self.init(
        .unreadableFolders, title: "“\(name)” cannot be looked into",
        advice: "Ask its owner for permission. It appears here as soon as you may read it.")
    case .mountNotAnswering:
      self.init(
        .diskNotAnswering, title: "The disk of “\(name)” does not answer",
        advice: "What is on it stays as it was until it answers. Check the network or the cable.")
    case .tagNotWritten: self.init(noTagsBecause: diagnostic.errno, name)
    case .rootLost:
      self.init(
        .folderLost, title: "The folder is gone",
        advice: "It was removed, or its disk was unmounted. Put it back, or open another folder.")
    case .rootReplaced:
      self.init(
        .folderLost, title: "There is another folder in its place",
        advice: "Open it to see what is in it. The one that was open is gone.")
    case .storeUnavailable:
      self.init(
        .noStore, title: "What happens while the app is closed cannot be told", advice: diagnostic.message.asSentence)
    default: return nil
    }
  }

  private init(limitReached diagnostic: FileSystemObserver.Diagnostic) {
    guard let limit = diagnostic.limit else {
      self.init(
        .watches, title: "Some folders are not watched", advice: diagnostic.message.asSentence)
      return
    }
    self.init(
      .watches, title: "There are more folders than the system watches (\(limit.name) is \(limit.value))",
      advice: "Changes in some folders show up late. An administrator can raise the limit to \(limit.suggestedValue).",
      command: limit.command)
  }

  private init(noTagsBecause error: Errno?, _ name: String) {
    let consequence =
      "Favourites, labels and notes stay through renames, but not when another program saves the document."
    switch error {
    case .noSpace?, .diskQuotaExceeded?:
      self.init(.noTags, title: "The disk is full", advice: "\(consequence) Make room on the disk.")
    case .readOnlyFileSystem?:
      self.init(
        .noTags, title: "This folder is read-only", advice: "\(consequence) Open it once where it can be written to.")
    case .permissionDenied?, .notPermitted?:
      self.init(
        .noTags, title: "“\(name)” and perhaps others belong to somebody else, or are read-only",
        advice: "\(consequence) Make them writable for you.")
    default:
      self.init(
        .noTags, title: "This disk cannot keep who is who",
        advice: "\(consequence) Keep documents on a disk with extended attributes, such as ext4, Btrfs or XFS.")
    }
  }

  /// The limit of folders in which changes are found by looking again and again.
  ///
  /// - Parameter types: The types of their file systems, for example `nfs4`.
  init(polledTypes types: [String]) {
    self.init(
      .networkFolder, title: "This is a network folder (\(types.joined(separator: ", ")))",
      advice: "Other computers may change it unnoticed, so that it is looked at now and then: changes show up late.")
  }

  /// The limit that nothing can be kept.
  init(_ error: BrowserStateError) {
    self.init(.notKept, title: error.message.asSentence, advice: error.advice.asSentence)
  }
}

extension FileSystemObserver.ScanSummary {
  /// Why items have no tag, most of them first; `nil` if all have one.
  ///
  /// A symbolic link never has one, and the summary does not tell it from a file on a disk without attributes. So these
  /// count only if no item has a tag; the observer's diagnostics tell of the others.
  var untaggedReason: Errno? {
    if itemCount > 0, skipped[.tagNotSupported] == itemCount { return .notSupported }
    let reasons: [(FileSystemObserver.SkipReason, Errno)] = [
      (.readOnly, .readOnlyFileSystem), (.noRoomForTag, .noSpace), (.tagNotPermitted, .permissionDenied),
    ]
    return reasons.filter { skipped[$0.0, default: 0] > 0 }.max {
      skipped[$0.0, default: 0] < skipped[$1.0, default: 0]
    }?.1
  }
}

extension String {
  /// The same words with a capital letter at the start and a full stop at the end.
  var asSentence: String {
    guard let first else { return self }
    return first.uppercased() + dropFirst() + (last == "." ? "" : ".")
  }
}

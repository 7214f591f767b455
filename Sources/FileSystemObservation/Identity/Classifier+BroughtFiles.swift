import FileIdentity
import LinuxFileSystem

// Documents that are found in a new folder, and that nobody has seen where they were.
//
// A program saves a document by replacement, makes a folder, and moves the document into it before the observer looks.
// The folder had no mark, so that no hint says where the document is, and no look has seen its new inode. Its name and
// its age remain, unless the source has named its file.

extension Classifier {
  /// Whether a listing has found a file that was moved into a new folder: it is not younger than the folder.
  func isBrought(_ entry: Entry, _ look: Look) -> Bool {
    let folder = graph.key(look.place.parent)
    guard look.cause == .scan, entry.kind == .file, entry.tag == .none, entry.key.hasBirthTime, folder.hasBirthTime
    else { return false }
    return !coverage.isRescanning && wasMade(look.place.parent) && entry.key.born <= folder.born
  }

  /// What a look at a complete file found, with the tag of the document that it must be, if there is one.
  ///
  /// Of two files that may be the same document, neither is.
  mutating func recognizing(_ entry: Entry, broughtAs name: FileName?, at place: Place) -> Entry {
    guard let name, entry.tag == .none, let document = document(broughtAs: name, to: place) else { return entry }
    let rivals = arrivals.brought(named: name).filter { rival in
      rival != place && self.document(broughtAs: name, to: rival) == document
    }
    guard rivals.isEmpty else {
      // Once one of them is announced, the others are as ambiguous.
      for rival in rivals { arrivals.forgetBrought(at: rival) }
      return entry
    }
    return entry.presumed(graph[document].uuid, by: .name)
  }

  /// The document that was saved and has left its place under a name: the nearest above a place, or the only one.
  private func document(broughtAs name: FileName, to place: Place) -> NodeID? {
    var directory = place.parent
    while true {
      let occupant = graph.node(at: Place(parent: directory, name: name))
      if let occupant, hasLeftUnseen(occupant) { return occupant }
      if directory == .root { break }
      directory = graph[directory].parent
    }
    let documents = unresolved.unseen(named: name).filter { hasLeftUnseen($0) }
    return documents.count == 1 ? documents.first : nil
  }

  private func hasLeftUnseen(_ id: NodeID) -> Bool {
    graph.key(id) == .unseen && hasLeft(id) && !hasReportedVersion(id)
  }

  /// Whether a document that was saved and has left may be a file in a new folder, which is not complete yet.
  func mayBeBrought(_ id: NodeID) -> Bool {
    guard hasLeftUnseen(id), let since = unresolved[id]?.since else { return false }
    return now - since < timing.unprovenQuiet && !arrivals.brought(named: graph.name(id)).isEmpty
  }
}

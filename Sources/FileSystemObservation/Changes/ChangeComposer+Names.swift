import FileIdentity

// State that spans several entries.

extension ChangeComposer {
  /// Items considered deleted and found again by the end of the set, with their entries before and after.
  struct Returns {
    private var successors: [NodeID: NodeID] = [:]
    private var predecessors: [NodeID: NodeID] = [:]
    /// What finished files were like when they were first considered deleted, by their entries after the set.
    private var finishedContents: [NodeID: ItemFacts] = [:]

    init(_ draft: borrowing ChangeDraft, _ graph: borrowing FileGraph) {
      var gone: [UUIDBits: ChangeDraft.Note] = [:]
      for note in draft.notes {
        switch note.kind {
        case .deleted:
          guard graph.former(note.node)?.uuid == note.uuid else { continue }
          if graph.isLive(note.node), graph[note.node].uuid == note.uuid {
            noteContent(of: note.node, note)
          } else {
            gone[note.uuid] = note
          }
        case .discovered, .duplicated:
          guard let former = gone[note.uuid], graph.isLive(note.node), graph[note.node].uuid == note.uuid,
            former.itemKind == note.itemKind,
            former.isCopying || !graph[note.node].flags.contains(.copying)
          else { continue }
          successors[former.node] = note.node
          predecessors[note.node] = former.node
          noteContent(of: note.node, former)
          gone[note.uuid] = nil
        default: continue
        }
      }
    }

    func successor(of id: NodeID) -> NodeID? { successors.isEmpty ? nil : successors[id] }
    func predecessor(of id: NodeID) -> NodeID? { predecessors.isEmpty ? nil : predecessors[id] }

    /// What a returned file was like; `nil` if a program was still writing it when it was considered deleted.
    func finishedContent(of id: NodeID) -> ItemFacts? { finishedContents.isEmpty ? nil : finishedContents[id] }

    private mutating func noteContent(of id: NodeID, _ deletion: ChangeDraft.Note) {
      if !deletion.isCopying, finishedContents[id] == nil { finishedContents[id] = deletion.facts }
    }
  }

  /// The succession of a file's oldest name within a set.
  struct NamesInTurn {
    /// The oldest names of files before the set.
    private var first: [UUIDBits: NodeID] = [:]
    /// The index of the last succession note of each file.
    private var last: [UUIDBits: Int] = [:]
    /// Notes of files made by names that came and went in this set.
    private var announcements: [UUIDBits: [ChangeDraft.Note]] = [:]

    init(_ draft: borrowing ChangeDraft) {
      for (index, note) in draft.notes.enumerated() {
        guard let former = note.formerName else { continue }
        last[note.uuid] = index
        if first[note.uuid] == nil { first[note.uuid] = former }
      }
    }

    func firstName(of uuid: UUIDBits) -> NodeID? { first[uuid] }

    func isLastSuccession(_ index: Int, _ note: ChangeDraft.Note) -> Bool { last[note.uuid] == index }

    /// The name that announced a file, or its completion, is gone; other names may exist.
    mutating func noteGone(_ note: ChangeDraft.Note) {
      switch note.kind {
      case .discovered, .duplicated: announcements[note.uuid] = [note]
      case .copyFinished: announcements[note.uuid]?.append(note)
      default: break
      }
    }

    /// The file was there before the set, and goes on under another name: it is not announced anew.
    mutating func forgetAnnouncement(of uuid: UUIDBits) {
      if !announcements.isEmpty { announcements[uuid] = nil }
    }

    /// The announcement of an item, with what was noted of it under a name or in an entry that came and went.
    ///
    /// A link takes that over as it is; a later discovery is the same arrival, which may be complete.
    mutating func announcement(by note: ChangeDraft.Note) -> [ChangeDraft.Note] {
      guard !announcements.isEmpty, var announcement = announcements.removeValue(forKey: note.uuid)
      else { return [note] }
      if note.kind == .discovered {
        let isReturned = announcement[0].isReturned || note.isReturned
        announcement[0] = note
        announcement[0].isReturned = isReturned
        if note.isCopying { announcement.removeSubrange(1...) }
      } else if note.kind != .linked {
        return [note]
      }
      return announcement.map { said in
        var said = said
        said.node = note.node
        return said
      }
    }
  }
}

import LinuxFileSystem

// Documents that were moved and saved while the source left hints out: those that it did not leave out tell where.

extension Classifier {
  /// Moves a document to the place where it was saved as far as that is reported, and continues it there.
  ///
  /// What is in its way there and was saved elsewhere moves at the same time.
  ///
  /// - Returns: Whether the document is at such a place now.
  mutating func continueWhereReported(_ id: NodeID) -> Bool {
    let saves = reportedSaves(from: id)
    guard let first = saves.first else { return false }
    for save in saves {
      takeArrival(at: save.place)
      if unresolved[save.id] == nil { markUnresolved(save.id, .unknown, leftByRename: false) }
      setBelievedLocation(of: save.id, .at(save.place))
    }
    by(.savedWhereReported) { classifier in
      for save in saves where classifier.graph.isLive(save.id) { classifier.commitMove(save.id, to: save.place) }
    }
    for save in saves where graph.isLive(save.place.parent) { finish(save) }
    return graph.node(at: first.place) == id
  }

  /// Moves what is in the way of an entry to the place where it was saved, as far as that is reported.
  mutating func makeRoom(for id: NodeID, at place: Place) {
    guard !reportedPlaces.isEmpty else { return }
    var passed: Set<NodeID> = [id]
    var next = place
    while let occupant = graph.node(at: next), passed.insert(occupant).inserted {
      if mayBeSavedElsewhere(occupant) {
        if unresolved[id] != nil, !isElsewhere(id) { setBelievedLocation(of: id, .at(place)) }
        if continueWhereReported(occupant) { return }
      }
      guard let elsewhere = believedPlace(of: occupant) else { return }
      next = elsewhere
    }
  }

  /// Whether the inode of a document is missing, or is at a place where it may be a backup.
  func mayBeSavedElsewhere(_ id: NodeID) -> Bool { isLost(id) || isReportedAside(id) }

  /// Whether a file is missing, and not known to be elsewhere.
  private func isLost(_ id: NodeID) -> Bool {
    switch unresolved[id]?.believedLocation {
    case .unknown, .gone: graph[id].kind == .file
    case nil, .at, .outside: false
    }
  }

  /// Whether the inode of a document is elsewhere, and another is reported as its latest version.
  private func isReportedAside(_ id: NodeID) -> Bool { believedPlace(of: id) != nil && hasReportedVersion(id) }
}

// MARK: - Places

extension Classifier {
  /// A document that goes on in the arrival at a place.
  private struct ReportedSave {
    var id: NodeID
    var place: Place
    var arrival: Arrival
    /// Where the former inode was found.
    var aside: Place?
  }

  /// The saves of a document and of those in its way.
  private func reportedSaves(from id: NodeID) -> [ReportedSave] {
    var saves: [ReportedSave] = []
    var next: NodeID? = id
    while let document = next, mayBeSavedElsewhere(document), let save = reportedSave(of: document),
      !saves.contains(where: { $0.id == document || $0.place == save.place })
    {
      saves.append(save)
      next = graph.node(at: save.place)
    }
    return saves
  }

  /// Where a document was saved; `nil` if that is its announced place, where it goes on by itself.
  private func reportedSave(of id: NodeID) -> ReportedSave? {
    guard let place = placeOfReportedSave(of: id), let arrival = arrivals[place],
      place != graph.place(id) || isReportedAside(id)
    else { return nil }
    return ReportedSave(id: id, place: place, arrival: arrival, aside: places(of: id).elsewhere)
  }

  /// The place of an arrival that is reported as a version of a document; or else, the last of its places with a new file
  /// that is no other document's.
  private func placeOfReportedSave(of id: NodeID) -> Place? {
    let places = reportedPlaces.places(of: id).filter { place in
      arrivals[place].map { canContinue(id, with: $0) } ?? false
    }
    let known = places.first { place in
      arrivals[place].map { reportedPlaces.document(of: $0.key) == id } ?? false
    }
    return known ?? (isLost(id) ? places.first { !isLastPlace($0, ofAnotherThan: id) } : nil)
  }

  /// Whether another missing document was last reported at a place, and this one was not.
  private func isLastPlace(_ place: Place, ofAnotherThan id: NodeID) -> Bool {
    guard let other = reportedPlaces.occupant(of: place), other != id, isLost(other) else { return false }
    return reportedPlaces.lastPlace(of: other) == place && reportedPlaces.lastPlace(of: id) != place
  }

  private mutating func finish(_ save: ReportedSave) {
    put(save.arrival, at: save.place)
    guard graph.node(at: save.place) == save.id else { return }
    markUnresolved(save.id, save.aside.map { .at($0) } ?? .gone, leftByRename: false)
    continueIdentity(of: save.id, with: save.arrival)
  }
}

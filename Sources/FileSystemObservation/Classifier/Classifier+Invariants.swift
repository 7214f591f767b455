import FileIdentity
import LinuxFileSystem

// The invariants of the classifier: checked after each step in debug builds and in the simulation.

struct InvariantReport {
  private(set) var violations: [String] = []

  mutating func expect(_ holds: Bool, _ statement: @autoclosure () -> String) {
    if !holds { violations.append(statement()) }
  }
}

extension Classifier {
  /// The violations; a thorough check covers each entry of the graph, too.
  func brokenInvariants(isThorough: Bool) -> [String] {
    var report = InvariantReport()
    checkPlaces(&report)
    checkArrivals(&report)
    checkWindows(&report)
    checkTimers(&report)
    checkLiveness(&report)
    coverage.checkInvariants(graph, &report)
    checkReports(&report)
    if isThorough { graph.checkInvariants(&report) }
    if isThorough { checkGraph(&report) }
    if isThorough { contents?.checkInvariants(&report) }
    return report.violations
  }

  /// The number of items that a check visits, without the graph.
  var invariantCost: Int {
    unresolved.count + arrivals.count + writing.count + recentDepartures.count + aheadOfLog.count + copies.count
      + rechecks.count + unorderedPlaces.count + reportedPlaces.ids.count + expiring.count
  }

  /// A place has at most one occupant: an unresolved entry that is believed there, or an arrival.
  private func checkPlaces(_ report: inout InvariantReport) {
    unresolved.checkInvariants(&report)
    pendingRenames.checkInvariants(&report)
    for id in unresolved.ids {
      if let place = believedPlace(of: id) {
        report.expect(arrivals[place] == nil, "\(id) is at \(place), where an arrival is")
      }
      report.expect(!graph.isLive(id) || graph[id].flags.contains(.unresolved), "\(id) is not marked as unresolved")
    }
  }

  /// Counts and indexes of arrivals and of their tags agree with the tables.
  private func checkArrivals(_ report: inout InvariantReport) {
    arrivals.checkInvariants(&report)
    var tags: [(Place, UUIDBits)] = []
    for place in arrivals.keys {
      guard let arrival = arrivals[place], let entry = arrival.entry else { continue }
      report.expect(entry.key == arrival.key, "the arrival at \(place) has two inodes")
      if let tag = entry.tag.uuid { tags.append((place, tag)) }
    }
    unconfirmedTags.checkInvariants(arrivals: tags, &report)
    newContents.checkInvariants(&report)
    for id in unconfirmedTags.entries {
      report.expect(writing[id] != nil, "\(id) is not being written, and bears a tag")
    }
  }

  /// Reports are kept as long as hints are in doubt, and then of unresolved entries.
  private func checkReports(_ report: inout InvariantReport) {
    reportedPlaces.checkInvariants(&report)
    if hasUnorderedPlaces || coverage.isRescanning { return }
    report.expect(!reportedPlaces.isEmpty || !reportedPlaces.hasFiles, "files are remembered for no report")
    for id in reportedPlaces.ids { report.expect(unresolved[id] != nil, "\(id) needs no reports") }
  }

  /// Departures agree with the graph, what expires is in order, and a file is being written under one name only.
  private func checkWindows(_ report: inout InvariantReport) {
    recentDepartures.checkInvariants(graph, &report)
    for (item, next) in zip(expiring, expiring.dropFirst()) {
      report.expect(item.time <= next.time, "\(next) expires before \(item)")
    }
    for id in writing.keys where graph.isLive(id) {
      report.expect(graph[id].flags.contains(.written), "\(id) is being written, and not marked as such")
      let names = graph.hasOtherNames(id) ? graph.names(of: id).filter { writing[$0] != nil } : [id]
      report.expect(names.count == 1, "\(names) are names of one file, and all being written")
    }
  }

  /// Each due time has a timer that is not later.
  private func checkTimers(_ report: inout InvariantReport) {
    func expect(_ target: TimerTarget, by due: MonotonicTime, _ report: inout InvariantReport) {
      report.expect(timers.time(of: target).map { $0 <= due } ?? false, "\(target) is due, and has no timer")
    }
    for id in unresolved.ids { if let entry = unresolved[id] { expect(.unresolved(id), by: entry.due, &report) } }
    for place in arrivals.keys {
      if let arrival = arrivals[place] { expect(.arrival(place), by: arrival.activity.nextCheck, &report) }
    }
    for id in writing.keys where unresolved[id] == nil {
      if let activity = writing[id] { expect(.writing(id), by: activity.nextCheck, &report) }
    }
    for place in aheadOfLog.allPlaces {
      if let due = aheadOfLog.due(place) { expect(.aheadOfLog(place), by: due, &report) }
    }
    for place in coverage.unprobed.places {
      report.expect(timers.time(of: .unprobed(place)) != nil, "\(place) has no timer")
    }
    for place in rechecks.places {
      report.expect(timers.time(of: .recheck(place)) != nil, "\(place) has no timer")
    }
    for id in unannounced.keys { report.expect(timers.time(of: .announcement(id)) != nil, "\(id) has no timer") }
  }

  /// No table has an entry that the graph does not have.
  private func checkLiveness(_ report: inout InvariantReport) {
    func expect(_ table: String, _ ids: some Sequence<NodeID>, _ report: inout InvariantReport) {
      for id in ids { report.expect(graph.isLive(id), "\(table) has \(id), which is not in the graph") }
    }
    func expect(_ table: String, _ places: [Place], _ report: inout InvariantReport) {
      expect(table, places.map(\.parent), &report)
    }
    expect("unresolved", unresolved.ids, &report)
    expect("arrivals", arrivals.keys, &report)
    expect("unobservedWrites", unobservedWrites.keys, &report)
    expect("writing", writing.keys, &report)
    expect("waitingNames", waitingNames.allMembers, &report)
    expect("unconfirmedTags", unconfirmedTags.entries, &report)
    expect("copies", copies.entries, &report)
    expect("removals", removals.keys, &report)
    expect("unannounced", unannounced.keys, &report)
    expect("aheadOfLog", aheadOfLog.allPlaces, &report)
    expect("foundMoves", foundMoves, &report)
    expect("rechecks", rechecks.places, &report)
    expect("unorderedPlaces", unorderedPlaces.places, &report)
    expect("reportedPlaces", reportedPlaces.ids, &report)
    expect("waitingDirectories", waitingDirectories.keys, &report)
    expect("recentlyAnnounced", recentlyAnnounced.keys, &report)
    expect("beginnings", news.beginnings, &report)
    expect("changedTimes", news.changedTimes, &report)
    expect("changedTags", news.changedTags, &report)
  }

  /// The flags of each entry agree with the tables.
  private func checkGraph(_ report: inout InvariantReport) {
    for id in graph.storage.liveIDs {
      let node = graph[id]
      report.expect(!node.flags.contains(.unresolved) || unresolved[id] != nil, "\(id) is marked as unresolved")
      report.expect(!node.flags.contains(.written) || writing[id] != nil, "\(id) is marked as being written")
    }
  }
}

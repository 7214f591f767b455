import FileIdentity
import LinuxFileSystem

// What holds after each step, as code: checked by the simulation after every step, and in debug builds.

/// Collects the statements that do not hold.
struct InvariantReport {
  private(set) var violations: [String] = []

  /// Notes a violation where a statement does not hold.
  mutating func expect(_ holds: Bool, _ statement: @autoclosure () -> String) {
    if !holds { violations.append(statement()) }
  }
}

extension Classifier {
  /// The invariants that do not hold.
  ///
  /// - Parameter isThorough: Whether to check all entries of the graph, too.
  func brokenInvariants(isThorough: Bool) -> [String] {
    var report = InvariantReport()
    checkPlaces(&report)
    checkArrivals(&report)
    checkTags(&report)
    checkWindows(&report)
    checkTimers(&report)
    checkLiveness(&report)
    coverage.checkInvariants(graph, &report)
    if isThorough { checkGraph(&report) }
    return report.violations
  }

  /// The number of things that the checks visit.
  var invariantCost: Int {
    displaced.count + arrivals.count + writing.count + recentDepartures.count + unexplained.count + copies.count
      + secondLooks.count + doubtful.count
  }

  /// An inode that is known to be elsewhere is held there, and nothing else waits there.
  private func checkPlaces(_ report: inout InvariantReport) {
    for place in held.keys {
      guard let id = held[place] else { continue }
      report.expect(
        displaced[id]?.whereabouts == .at(place), "\(place) holds \(id), which is \(text(displaced[id]))")
      report.expect(arrivals[place] == nil, "\(place) holds \(id), and an arrival")
    }
    for (id, displacement) in displaced {
      if case .at(let place) = displacement.whereabouts {
        report.expect(held[place] == id, "\(id) is at \(place), which holds \(text(held[place]))")
      }
      report.expect(
        !graph.isLive(id) || graph[id].flags.contains(.displaced), "\(id) is displaced, and not marked as such")
    }
  }

  /// What is counted and indexed of arrivals is what there is.
  private func checkArrivals(_ report: inout InvariantReport) {
    var newcomers: [NodeID: Int] = [:]
    var oldNames: [FileKey: Int] = [:]
    for place in arrivals.keys {
      guard let arrival = arrivals[place] else { continue }
      if arrival.progress.isOld {
        oldNames[arrival.key, default: 0] += 1
      } else {
        newcomers[place.parent, default: 0] += 1
      }
      report.expect(
        arrival.key == .unseen || arrivalPlaces.contains(arrival.key) { $0 == place },
        "the arrival at \(place) is not found by its inode")
      report.expect(
        arrival.entry.map { $0.key == arrival.key } ?? true, "the arrival at \(place) has two inodes")
    }
    report.expect(newcomers == newcomerCounts, "newcomers: \(newcomers), counted \(newcomerCounts)")
    report.expect(oldNames == oldNameCounts, "old names: \(oldNames), counted \(oldNameCounts)")
  }

  /// A tag is in doubt exactly where an arrival or an entry that is being written bears it.
  private func checkTags(_ report: inout InvariantReport) {
    var holders: [UUIDBits: Set<TagHolder>] = [:]
    for place in arrivals.keys {
      if let tag = arrivals[place]?.entry?.tag.uuid { holders[tag, default: []].insert(.arrival(place)) }
    }
    for (id, tag) in copyTags {
      holders[tag, default: []].insert(.entry(id))
      report.expect(writing[id] != nil, "the tag of \(id) is in doubt, and it is not being written")
    }
    report.expect(
      holders.count == tagsInDoubt.keyCount, "\(holders.count) tags are in doubt, not \(tagsInDoubt.keyCount)")
    for (tag, expected) in holders {
      report.expect(
        Set(tagsInDoubt.members(of: tag)) == expected,
        "\(tag) is borne by \(expected), not \(tagsInDoubt.members(of: tag))")
    }
  }

  /// Places that documents left, and the reverse; writing by one name only.
  private func checkWindows(_ report: inout InvariantReport) {
    recentDepartures.checkInvariants(graph, &report)
    for id in writing.keys where graph.isLive(id) {
      report.expect(graph[id].flags.contains(.written), "\(id) is being written, and not marked as such")
      let names = graph.hasOtherNames(id) ? graph.names(of: id).filter { writing[$0] != nil } : [id]
      report.expect(names.count == 1, "\(names) are names of one file, and all being written")
    }
    for place in unexplained.allPlaces {
      report.expect(hintCounts[place.parent] != nil, "the hints of \(place.parent) are not counted")
    }
  }

  /// Whatever is due later has a timer that is not later.
  private func checkTimers(_ report: inout InvariantReport) {
    func expect(_ target: TimerTarget, by due: MonotonicTime, _ report: inout InvariantReport) {
      report.expect(timers.time(of: target).map { $0 <= due } ?? false, "\(target) is due, and has no timer")
    }
    for (id, displacement) in displaced { expect(.displaced(id), by: displacement.due, &report) }
    for place in arrivals.keys {
      if let arrival = arrivals[place] { expect(.arrival(place), by: arrival.progress.nextCheck, &report) }
    }
    for id in writing.keys where displaced[id] == nil {
      if let progress = writing[id] { expect(.writing(id), by: progress.nextCheck, &report) }
    }
    for place in unexplained.allPlaces {
      if let found = unexplained[place] { expect(.unexplained(place), by: found.due, &report) }
    }
    for place in coverage.unprobed.places {
      report.expect(timers.time(of: .unprobed(place)) != nil, "\(place) has no timer")
    }
    for place in secondLooks.places {
      report.expect(timers.time(of: .secondLook(place)) != nil, "\(place) has no timer")
    }
    for id in untold.keys { report.expect(timers.time(of: .announcement(id)) != nil, "\(id) has no timer") }
  }

  /// No table has an entry that is not in the graph.
  private func checkLiveness(_ report: inout InvariantReport) {
    func expect(_ table: String, _ ids: some Sequence<NodeID>, _ report: inout InvariantReport) {
      for id in ids { report.expect(graph.isLive(id), "\(table) has \(id), which is not in the graph") }
    }
    func expect(_ table: String, _ places: [Place], _ report: inout InvariantReport) {
      expect(table, places.map(\.parent), &report)
    }
    expect("displaced", displaced.keys, &report)
    expect("held", held.keys, &report)
    expect("held", held.keys.compactMap { held[$0] }, &report)
    expect("arrivals", arrivals.keys, &report)
    expect("newcomerCounts", newcomerCounts.keys, &report)
    expect("hiddenWrites", hiddenWrites.keys, &report)
    expect("writing", writing.keys, &report)
    expect("waitingNames", waitingNames.allMembers, &report)
    expect("copyTags", copyTags.keys, &report)
    expect("copies", copies.entries, &report)
    expect("removals", removals.keys, &report)
    expect("untold", untold.keys, &report)
    expect("unexplained", unexplained.allPlaces, &report)
    expect("hintCounts", hintCounts.keys, &report)
    expect("found", found, &report)
    expect("secondLooks", secondLooks.places, &report)
    expect("doubtful", doubtful.places, &report)
    expect("deferred", deferred.places, &report)
    expect("announced", announced.keys, &report)
    expect("activity", activity, &report)
    expect("changedTimes", changedTimes, &report)
  }

  /// All names of a file agree, and what is counted of the entries is what there is.
  private func checkGraph(_ report: inout InvariantReport) {
    for id in graph.storage.liveIDs {
      let node = graph[id]
      report.expect(!node.flags.contains(.displaced) || displaced[id] != nil, "\(id) is marked as displaced")
      report.expect(!node.flags.contains(.written) || writing[id] != nil, "\(id) is marked as being written")
      guard node.flags.contains(.furtherName), let oldest = graph.node(with: node.uuid) else { continue }
      report.expect(
        graph.key(id) == graph.key(oldest) && node.kind == graph[oldest].kind, "\(id) and \(oldest) are one file")
    }
  }

  private func text(_ displacement: Displacement?) -> String {
    displacement.map { "\($0.whereabouts)" } ?? "not displaced"
  }
  private func text(_ id: NodeID?) -> String { id.map { "\($0)" } ?? "nothing" }
}

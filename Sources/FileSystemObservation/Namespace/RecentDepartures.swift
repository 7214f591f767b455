import FileIdentity
import LinuxFileSystem

/// A document's announced departure from a place, a moment ago.
struct RecentDeparture: Sendable {
  var node: NodeID
  var key: FileKey
  var since: MonotonicTime
  /// Whether only a look found the departure, so that its hint may still come.
  var isFound: Bool
  /// The place that the document had left just before it came to this one.
  fileprivate(set) var former: Place?
  /// The folder that has come to the place, and was made for the one that left.
  var version: NodeID?
}

/// Places that documents left a moment ago, with an index by document.
struct RecentDepartures: Sendable {
  private var departures = PlaceTable<RecentDeparture>()
  private var places = Multimap<NodeID, Place>()
  private var latest: [NodeID: Place] = [:]

  var count: Int { departures.count }

  /// The last departure from a place.
  subscript(from place: Place) -> RecentDeparture? { departures[place] }

  /// The place that a document left last.
  func latestPlace(of id: NodeID) -> Place? { latest[id] }

  mutating func note(_ departure: RecentDeparture, from place: Place) {
    var departure = departure
    departure.former = latest[departure.node].flatMap { $0 == place ? nil : $0 }
    forget(from: place)
    departures[place] = departure
    places.insert(place, for: departure.node)
    latest[departure.node] = place
  }

  /// Notes the folder that was made for the one that left a place, and has come there.
  mutating func noteVersion(_ id: NodeID, at place: Place) {
    departures.update(place) { $0.version = id }
  }

  mutating func forget(from place: Place) {
    guard let departure = departures.removeValue(forKey: place) else { return }
    places.remove(place, for: departure.node)
    if latest[departure.node] == place { latest[departure.node] = nil }
  }

  /// Forgets a document that has ended.
  mutating func forget(_ id: NodeID) {
    for place in places.members(of: id) { forget(from: place) }
  }

  /// Forgets the places in a directory that has ended.
  mutating func forget(in directory: NodeID) {
    for place in departures.places(in: directory) { forget(from: place) }
  }

  func checkInvariants(_ graph: FileGraph, _ report: inout InvariantReport) {
    for place in departures.keys {
      guard let id = departures[place]?.node else { continue }
      report.expect(graph.isLive(place.parent) && graph.isLive(id), "\(id) or \(place), which it left, has ended")
      report.expect(places.contains(id) { $0 == place }, "\(place) is not found by \(id), which left it")
    }
    for (id, place) in latest { report.expect(departures[place]?.node == id, "\(id) has not left \(place)") }
  }
}

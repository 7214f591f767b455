import FileEvents
import FileIdentity
import LinuxFileSystem

/// What hints of unknown order say of documents: where each was, and which files are versions of it.
///
/// Between such hints, moves may have been left out. So a look counts more than a report. But where no look finds a
/// document's inode, the reports tell where it was saved.
struct ReportedPlaces: Sendable {
  private struct Report: Sendable {
    /// Where the document was, the latest last; a directory may have ended.
    var places: [Place] = []
    /// Whether its file was removed at the last place.
    var isRemoved = false
    /// The files that are versions of it, the latest last.
    var versions: [HintedFile] = []
  }

  private var reports: [NodeID: Report] = [:]
  /// The document that was last reported at a place.
  private var occupants = PlaceTable<NodeID>()
  /// The documents of which files are versions.
  private var documents: [FileHandle: NodeID] = [:]
  /// The last file that was reported with an inode number.
  private var files: [InodeNumber: FileHandle] = [:]

  /// The number of places that are remembered of a document.
  static var mostPlaces: Int { 64 }
  /// With more files than this, no more are noted.
  private static var mostFiles: Int { 65_536 }

  var isEmpty: Bool { reports.isEmpty }
  var hasFiles: Bool { !files.isEmpty }
  var isFull: Bool { files.count >= Self.mostFiles }
  /// The documents, in no order.
  var ids: some Collection<NodeID> { reports.keys }

  /// The document of which a file is a version.
  func document(of file: HintedFile) -> NodeID? { documents[file.handle] }

  /// The document of which the last file that was reported with an inode number is a version.
  func document(of key: FileKey) -> NodeID? {
    files[InodeNumber(key)].flatMap { documents[$0] }
  }

  /// The document of which this is the latest version.
  func document(ofLatest key: FileKey) -> NodeID? {
    document(of: key).flatMap { hasVersion(of: $0, besides: key) ? nil : $0 }
  }

  /// The document that was last reported at a place.
  func occupant(of place: Place) -> NodeID? { occupants[place] }

  /// Where a document was last reported.
  func lastPlace(of id: NodeID) -> Place? { reports[id]?.places.last }

  /// Where a document may have been saved, the latest place first.
  func places(of id: NodeID) -> [Place] {
    guard let report = reports[id] else { return [] }
    return report.isRemoved ? report.places.suffix(1) : report.places.reversed()
  }

  /// Whether the latest version of a document is reported, and is another inode than this one.
  func hasVersion(of id: NodeID, besides key: FileKey) -> Bool {
    reports[id]?.versions.last.map { $0.inode != key.inode } ?? false
  }

  /// Notes that a file has an inode number.
  ///
  /// - Returns: Whether this is the first file that is noted with the number.
  mutating func note(_ file: HintedFile, on device: UInt64) -> Bool {
    files.updateValue(file.handle, forKey: InodeNumber(inode: file.inode, on: device)) == nil
  }

  /// Whether a file is the latest version of a document that is reported: only that says where the document is.
  func isLatest(_ file: HintedFile, of id: NodeID) -> Bool {
    reports[id]?.versions.last.map { $0.handle == file.handle } ?? true
  }

  /// Notes that a file is a version of a document, and of no other.
  ///
  /// - Parameter isFirst: Whether it is the one from before all reports; otherwise it is the latest.
  mutating func note(_ file: HintedFile, isVersionOf id: NodeID, isFirst: Bool = false) {
    let former = documents.updateValue(id, forKey: file.handle)
    if former == id { return }
    if let former { reports[former]?.versions.removeAll { $0.handle == file.handle } }
    var report = reports[id] ?? Report()
    report.versions.insert(file, at: isFirst ? 0 : report.versions.endIndex)
    reports[id] = report
  }

  /// Notes that a document was at a place.
  ///
  /// - Parameter isEarlier: Whether it was there before all that is known.
  mutating func note(_ id: NodeID, at place: Place, isEarlier: Bool = false) {
    var report = reports[id] ?? Report()
    let known = report.places.firstIndex(of: place)
    if isEarlier, known != nil { return }
    if let known { report.places.remove(at: known) }
    report.places.insert(place, at: isEarlier ? 0 : report.places.endIndex)
    if report.places.count > Self.mostPlaces { report.places.removeFirst() }
    if !isEarlier {
      report.isRemoved = false
      occupants[place] = id
    }
    reports[id] = report
  }

  /// Notes that the file of a document was removed at a place.
  mutating func noteRemoved(_ id: NodeID, at place: Place) {
    note(id, at: place)
    reports[id]?.isRemoved = true
  }

  /// Forgets the documents that need no reports, and the files if that is all of them.
  mutating func forget(where isDecided: (NodeID) -> Bool) {
    for id in reports.keys where isDecided(id) { forget(id) }
    if isEmpty { self = ReportedPlaces() }
  }

  /// Forgets a document.
  mutating func forget(_ id: NodeID) {
    guard let report = reports.removeValue(forKey: id) else { return }
    if reports.isEmpty { return self = ReportedPlaces() }
    for place in report.places where occupants[place] == id { occupants[place] = nil }
    for version in report.versions { documents[version.handle] = nil }
  }

  func checkInvariants(_ report: inout InvariantReport) {
    for (handle, id) in documents {
      let isVersion = reports[id]?.versions.contains { $0.handle == handle } ?? false
      report.expect(isVersion, "a file is a version of \(id), which does not know it")
    }
  }
}

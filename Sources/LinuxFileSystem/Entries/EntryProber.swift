internal import CLinux
import Glibc
package import SystemPackage

/// Reads the status and one attribute of entries in groups, and can write missing attributes.
///
/// It is not thread-safe: each scanning thread has its own.
@safe
package final class EntryProber {
  /// The reader of the entries, which may be used separately.
  package let reader = DirectoryReader()
  private let probes: UnsafeMutablePointer<clinux_probe>
  private let presumption: UnsafeMutablePointer<clinux_presumption>

  package init() {
    unsafe probes = .allocate(capacity: ProbedEntries.capacity)
    unsafe presumption = .allocate(capacity: 1)
    unsafe presumption.initialize(to: clinux_presumption())
  }

  deinit {
    unsafe probes.deallocate()
    unsafe presumption.deallocate()
  }

  /// The number of successive files without the attribute after which further files are presumed to have none.
  package static var missesToPresume: Int { Int(clinux_misses_to_presume) }

  /// The device of so many files without the attribute.
  package var deviceWithoutAttributes: UInt64? {
    unsafe presumption.pointee.misses >= Self.missesToPresume ? presumption.pointee.device : nil
  }

  /// Starts with the first entry of a directory.
  package func rewind(_ directory: borrowing OwnedDescriptor) throws(Errno) {
    try reader.rewind(directory)
  }

  /// Looks at the next wanted entries; nothing at the end.
  ///
  /// The end of the directory is read by a separate call: by then, fanotify(7) and inotify(7) have queued all events of
  /// the entries seen before.
  ///
  /// - Parameter changedBefore: A time in nanoseconds since the epoch. Files on `deviceWithoutAttributes` whose inodes
  ///   have not changed since then are presumed to have no attribute, which is then not read but written if missing.
  package func next(
    in directory: borrowing OwnedDescriptor, reading attribute: AttributeName, by route: AttributeRoute = .preferred,
    presumingMissingIfChangedBefore changedBefore: Int64? = nil, where isWanted: (NameView, ListedKind) -> Bool
  ) throws(Errno) -> ProbedEntries? {
    let count = try takeNames(of: directory, where: isWanted)
    guard count > 0 else { return nil }
    let (number, probes) = unsafe (directory.number, probes)
    unsafe presumption.pointee.changed_before = changedBefore ?? .min
    unsafe attribute.withCString { name in
      unsafe clinux_probe(number, probes, count, FileStatus.lookFlags, name, route == .processPath ? 1 : 0, presumption)
    }
    return unsafe ProbedEntries(probes: probes, count: count, presumption: presumption)
  }

  /// Looks at the next wanted entries, without reading attributes that are known; nothing at the end.
  ///
  /// - Parameter isKnown: Whether the attribute of an entry is known.
  package func next(
    in directory: borrowing OwnedDescriptor, reading attribute: AttributeName, by route: AttributeRoute = .preferred,
    unless isKnown: (NameView, FileStatus) -> Bool, where isWanted: (NameView, ListedKind) -> Bool
  ) throws(Errno) -> ProbedEntries? {
    let count = try takeNames(of: directory, where: isWanted)
    guard count > 0 else { return nil }
    let (number, probes) = unsafe (directory.number, probes)
    unsafe clinux_probe_statuses(number, probes, count, FileStatus.lookFlags)
    for index in 0..<count where unsafe probes[index].status_error == 0 {
      let name = unsafe NameView(probes[index].name, count: probes[index].name_count)
      unsafe probes[index].is_known = isKnown(name, FileStatus(probes[index].status)) ? 1 : 0
    }
    unsafe attribute.withCString { name in
      unsafe clinux_probe_values(number, probes, count, name, route == .processPath ? 1 : 0, presumption)
    }
    return unsafe ProbedEntries(probes: probes, count: count, presumption: presumption)
  }

  /// Takes the names of the next wanted entries, as many as are looked at in a group; their number.
  private func takeNames(
    of directory: borrowing OwnedDescriptor, where isWanted: (NameView, ListedKind) -> Bool
  ) throws(Errno) -> Int {
    let probes = unsafe probes
    var count = 0
    var isMore = true
    while isMore, count == 0 {
      isMore = try reader.visitMore(of: directory) { name, kind, _ in
        guard isWanted(name, kind) else { return true }
        unsafe probes[count].name = name.cString
        unsafe probes[count].name_count = name.count
        count += 1
        return count < ProbedEntries.capacity
      }
    }
    return count
  }
}

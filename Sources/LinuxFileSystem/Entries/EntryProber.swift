internal import CLinux
import Glibc
package import SystemPackage

/// Looks at the entries of a directory, some at a time: the state of each, and one attribute, which can be written
/// where there is none.
///
/// Not thread-safe: each scanning thread has one of its own.
@safe
package final class EntryProber {
  /// What the entries are read with; it may be used by itself, too.
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

  /// How many files in a row have to have no attribute until the next are presumed to have none.
  package static var missesToPresume: Int { Int(clinux_misses_to_presume) }

  /// The device on which there were so many.
  package var deviceWithoutAttributes: UInt64? {
    unsafe presumption.pointee.misses >= Self.missesToPresume ? presumption.pointee.device : nil
  }

  /// Begins with the first entry of a directory.
  package func rewind(_ directory: borrowing OwnedDescriptor) throws(Errno) {
    try reader.rewind(directory)
  }

  /// Looks at the next entries that are wanted; nothing where there are no more.
  ///
  /// The end of the directory is read in a call of its own: by then all has been told (fanotify(7), inotify(7)) of what
  /// was seen before.
  ///
  /// - Parameter changedBefore: Files on `deviceWithoutAttributes` whose inodes last changed before that, in
  ///   nanoseconds since the epoch, are presumed to have no attribute: it is not read, for it will be written where
  ///   there is none.
  package func next(
    in directory: borrowing OwnedDescriptor, reading attribute: AttributeName, by route: AttributeRoute = .preferred,
    presumingMissingIfChangedBefore changedBefore: Int64? = nil, where isWanted: (NameView, ListedKind) -> Bool
  ) throws(Errno) -> ProbedEntries? {
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
    guard count > 0 else { return nil }
    let number = directory.number
    unsafe presumption.pointee.changed_before = changedBefore ?? .min
    unsafe attribute.withCString { name in
      unsafe clinux_probe(number, probes, count, FileStatus.lookFlags, name, route == .processPath ? 1 : 0, presumption)
    }
    return unsafe ProbedEntries(probes: probes, count: count, presumption: presumption)
  }
}

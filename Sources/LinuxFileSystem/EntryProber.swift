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

/// Entries that were looked at together, names included; valid until the prober looks at the next.
///
/// No class, whose properties would be checked for overlapping accesses with each entry (callgrind: 270 instructions a
/// file).
@safe
package struct ProbedEntries {
  /// So many that what was found is still in the processor's nearest cache when it is used.
  fileprivate static let capacity = 32
  private static var valueOffset: Int { unsafe MemoryLayout<clinux_probe>.offset(of: \.value) ?? 0 }

  private let probes: UnsafeMutablePointer<clinux_probe>
  package let count: Int
  private let presumption: UnsafeMutablePointer<clinux_presumption>

  fileprivate init(
    probes: UnsafeMutablePointer<clinux_probe>, count: Int, presumption: UnsafeMutablePointer<clinux_presumption>
  ) {
    unsafe self.probes = unsafe probes
    self.count = count
    unsafe self.presumption = unsafe presumption
  }

  private func probe(_ index: Int) -> UnsafeMutablePointer<clinux_probe> {
    precondition(index >= 0 && index < count, "an entry that was looked at")
    return unsafe probes + index
  }

  private func value(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(probe(index)) + Self.valueOffset
  }

  /// The name of an entry.
  package func name(_ index: Int) -> NameView {
    let probe = unsafe probe(index)
    return unsafe NameView(probe.pointee.name, count: probe.pointee.name_count)
  }

  /// `statx(2)` of the name, not following a symbolic link.
  package func status(_ index: Int) -> Result<FileStatus, Errno> {
    let probe = unsafe probe(index)
    let error = unsafe probe.pointee.status_error
    return unsafe error == 0 ? .success(FileStatus(probe.pointee.status)) : .failure(Errno(rawValue: error))
  }

  /// The attribute of a file or directory; `missing` for anything else.
  package func attribute(_ index: Int) -> Result<ExtendedAttribute.Value, Errno> {
    let count = unsafe Int(probe(index).pointee.value_count)
    return count >= 0 ? .success(.bytes(count: count)) : ExtendedAttribute.value(of: Errno(rawValue: CInt(-count)))
  }

  /// Whether the attribute was not read, but presumed to be missing: whoever does not write it, or cannot, has to read
  /// it.
  package func isPresumedMissing(_ index: Int) -> Bool { unsafe probe(index).pointee.is_presumed != 0 }

  /// The bytes of the attribute, as many as `attribute(_:)` says.
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let count = unsafe max(0, Int(probe(index).pointee.value_count))
    return unsafe UnsafeRawBufferPointer(start: value(index), count: count)
  }
}

// MARK: - Writing

extension ProbedEntries {
  /// Has a value be written by `write(in:to:by:)`: at most as many bytes as `ExtendedAttribute.longestValue`.
  package func note(_ bytes: UnsafeRawBufferPointer, for index: Int) {
    let room = unsafe UnsafeMutableRawBufferPointer(start: value(index), count: ExtendedAttribute.longestValue)
    unsafe room.copyMemory(from: bytes)
    unsafe probe(index).pointee.value_count = Int32(bytes.count)
    unsafe probe(index).pointee.is_to_be_written = 1
  }

  /// Whether a value is to be written, or was.
  package func isNoted(_ index: Int) -> Bool { unsafe probe(index).pointee.is_to_be_written != 0 }

  /// Writes the values that were noted, where there are none; where one could not be written, nothing more is presumed
  /// to be missing.
  package func write(
    in directory: borrowing OwnedDescriptor, to attribute: AttributeName, by route: AttributeRoute = .preferred
  ) {
    let number = directory.number
    unsafe attribute.withCString { name in
      unsafe clinux_write_values(number, probes, count, name, route == .processPath ? 1 : 0, presumption)
    }
  }

  /// Whether a value that was noted has been written; `false` where there was one.
  package func written(_ index: Int) -> Result<Bool, Errno> {
    let error = unsafe Errno(rawValue: probe(index).pointee.write_error)
    if error == .fileExists { return .success(false) }
    return error.rawValue == 0 ? .success(true) : .failure(error)
  }
}

internal import CLinux
package import SystemPackage

/// A group of entries and their names, valid until the prober's next call.
///
/// It is a struct, because a class would check each access for overlaps (callgrind: 270 instructions a file).
@safe
package struct ProbedEntries {
  /// Small enough that the results stay in the nearest cache of the processor.
  static let capacity = 32
  private static var valueOffset: Int { unsafe MemoryLayout<clinux_probe>.offset(of: \.value) ?? 0 }

  private let probes: UnsafeMutablePointer<clinux_probe>
  package let count: Int
  private let presumption: UnsafeMutablePointer<clinux_presumption>

  init(
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

  /// `statx(2)` of the name, without following a symbolic link.
  package func status(_ index: Int) -> Result<FileStatus, Errno> {
    let probe = unsafe probe(index)
    let error = unsafe probe.pointee.status_error
    return unsafe error == 0 ? .success(FileStatus(probe.pointee.status)) : .failure(Errno(rawValue: error))
  }

  /// The attribute of a file or directory; `missing` for other kinds.
  package func attribute(_ index: Int) -> Result<ExtendedAttribute.Value, Errno> {
    let count = unsafe Int(probe(index).pointee.value_count)
    return count >= 0 ? .success(.bytes(count: count)) : ExtendedAttribute.value(of: Errno(rawValue: CInt(-count)))
  }

  /// Whether the attribute was presumed to be missing.
  ///
  /// A caller that does not or cannot write it must read it.
  package func isPresumedMissing(_ index: Int) -> Bool { unsafe probe(index).pointee.is_presumed != 0 }

  /// Whether the caller knows the attribute, so that it was not read.
  package func isKnown(_ index: Int) -> Bool { unsafe probe(index).pointee.is_known != 0 }

  /// The bytes of the attribute; `attribute(_:)` has their number.
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let count = unsafe max(0, Int(probe(index).pointee.value_count))
    return unsafe UnsafeRawBufferPointer(start: value(index), count: count)
  }
}

// MARK: - Writing

extension ProbedEntries {
  /// Prepares a value for `write(in:to:by:)`, of at most `ExtendedAttribute.longestValue` bytes.
  package func note(_ bytes: UnsafeRawBufferPointer, for index: Int) {
    let room = unsafe UnsafeMutableRawBufferPointer(start: value(index), count: ExtendedAttribute.longestValue)
    unsafe room.copyMemory(from: bytes)
    unsafe probe(index).pointee.value_count = Int32(bytes.count)
    unsafe probe(index).pointee.is_to_be_written = 1
  }

  /// Whether a value was prepared.
  package func isNoted(_ index: Int) -> Bool { unsafe probe(index).pointee.is_to_be_written != 0 }

  /// Writes the prepared values of missing attributes.
  ///
  /// After an error, no further attribute is presumed to be missing.
  package func write(
    in directory: borrowing OwnedDescriptor, to attribute: AttributeName, by route: AttributeRoute = .preferred
  ) {
    let number = directory.number
    unsafe attribute.withCString { name in
      unsafe clinux_write_values(number, probes, count, name, route == .processPath ? 1 : 0, presumption)
    }
  }

  /// Whether a prepared value was written; `false` if the attribute existed.
  package func written(_ index: Int) -> Result<Bool, Errno> {
    let error = unsafe Errno(rawValue: probe(index).pointee.write_error)
    if error == .fileExists { return .success(false) }
    return error.rawValue == 0 ? .success(true) : .failure(error)
  }
}

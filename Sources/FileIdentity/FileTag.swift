package import LinuxFileSystem
package import SystemPackage

/// What stands in the tag of a file.
@usableFromInline package enum TagReading: Hashable, Sendable {
  /// There is no tag.
  case none
  /// The file bears this UUID.
  case uuid(UUIDBits)
  /// There is a value, and it is not exactly a UUID: as good as none.
  case garbage
  /// The tag was not read: a kind of file that has none, or one that may not be read.
  case unreadable

  /// The UUID, where there is one.
  @inlinable package var uuid: UUIDBits? {
    if case .uuid(let bits) = self { bits } else { nil }
  }
}

/// The extended attribute that carries a file's UUID: 36 ASCII characters, which ext4 keeps in the inode itself.
package struct FileTag: Sendable {
  /// The name unless the app chooses another.
  package static let defaultName = "user.fsobserver.uuid"

  package let attribute: AttributeName

  package init(name: String = FileTag.defaultName) {
    attribute = AttributeName(name)
  }

  /// Whether the file system of a name keeps no such attributes (ENOTSUP).
  package func isUnsupported(for name: NameView, in directory: borrowing OwnedDescriptor) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: ExtendedAttribute.longestValue, alignment: 1) { buffer in
      do throws(Errno) {
        _ = unsafe try ExtendedAttribute.read(attribute, of: name, in: directory, into: buffer)
        return false
      } catch {
        return error == .notSupported
      }
    }
  }

  /// Reads the tag of one name in a directory.
  ///
  /// An expected miss is a value; only what nobody expects is an error.
  package func read(of name: NameView, in directory: borrowing OwnedDescriptor) -> TagReading {
    unsafe withUnsafeTemporaryAllocation(byteCount: ExtendedAttribute.longestValue, alignment: 1) { buffer in
      do throws(Errno) {
        let value = unsafe try ExtendedAttribute.read(attribute, of: name, in: directory, into: buffer)
        return unsafe Self.reading(value, UnsafeRawBufferPointer(buffer))
      } catch {
        return .unreadable
      }
    }
  }

  /// Reads the tag of the very inode that is open.
  ///
  /// - Parameter isReadable: Whether the descriptor is open for reading, so that no path in `/proc` is needed.
  package func read(of file: borrowing OwnedDescriptor, isReadable: Bool = false) -> TagReading {
    unsafe withUnsafeTemporaryAllocation(byteCount: ExtendedAttribute.longestValue, alignment: 1) { buffer in
      do throws(Errno) {
        let value =
          unsafe isReadable
          ? try ExtendedAttribute.read(attribute, ofReadable: file, into: buffer)
          : try ExtendedAttribute.read(attribute, of: file, into: buffer)
        return unsafe Self.reading(value, UnsafeRawBufferPointer(buffer))
      } catch {
        return .unreadable
      }
    }
  }

  fileprivate static func reading(
    _ value: ExtendedAttribute.Value, _ buffer: UnsafeRawBufferPointer
  ) -> TagReading {
    switch value {
    case .missing: .none
    case .tooLong: .garbage
    case .bytes(let count): unsafe parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func parse(_ value: UnsafeRawBufferPointer) -> TagReading {
    unsafe UUIDBits(text: Span(_unsafeBytes: value)).map(TagReading.uuid) ?? .garbage
  }

  /// Gives the very inode that is open its tag, unless it has one already.
  ///
  /// Says whether this call wrote it.
  ///
  /// - Parameter isReadable: Whether the file is open for reading, and not only as a place (`O_PATH`).
  package func claim(
    _ uuid: UUIDBits, of file: borrowing OwnedDescriptor, isReadable: Bool = false
  ) throws(Errno) -> Bool {
    do {
      try write(uuid, file, .create, isReadable: isReadable)
      return true
    } catch {
      if error == .fileExists { return false }
      throw error
    }
  }

  /// Writes the tag of the very inode that is open, over any value there is.
  package func replace(with uuid: UUIDBits, of file: borrowing OwnedDescriptor) throws(Errno) {
    try write(uuid, file, .set)
  }

  private func write(
    _ uuid: UUIDBits, _ file: borrowing OwnedDescriptor, _ mode: AttributeWriteMode, isReadable: Bool = false
  ) throws(Errno) {
    var text = InlineArray<36, UInt8>(uuid)
    try unsafe withUnsafeBytes(of: &text) { (bytes) throws(Errno) in
      if isReadable {
        try unsafe ExtendedAttribute.write(bytes, to: attribute, ofReadable: file, mode: mode)
      } else {
        try unsafe ExtendedAttribute.write(bytes, to: attribute, of: file, mode: mode)
      }
    }
  }

  /// Takes the tag away.
  ///
  /// Says whether there was one.
  package func remove(from name: NameView, in directory: borrowing OwnedDescriptor) throws(Errno) -> Bool {
    try ExtendedAttribute.remove(attribute, from: name, in: directory)
  }
}

extension ProbedEntries {
  /// The tag of an entry that was looked at with the tag's attribute.
  package func tag(_ index: Int) -> TagReading {
    guard case .success(let value) = attribute(index) else { return .unreadable }
    return unsafe FileTag.reading(value, bytes(index))
  }

  /// Has an entry be given its tag with all others, where it has none.
  package func noteTag(_ uuid: UUIDBits, for index: Int) {
    var text = InlineArray<36, UInt8>(uuid)
    unsafe withUnsafeBytes(of: &text) { unsafe note($0, for: index) }
  }
}

extension InlineArray where Element == UInt8, count == 36 {
  fileprivate init(_ uuid: UUIDBits) {
    self.init(repeating: 0)
    uuid.copyText(to: &self)
  }
}

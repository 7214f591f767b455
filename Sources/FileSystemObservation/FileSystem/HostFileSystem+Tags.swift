package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

import struct Synchronization.Atomic

// Reading and writing tags.

extension HostFileSystem {
  package func readTag(of name: NameView, in directory: DirectoryHandle) -> TagReading {
    tag.read(of: name, in: directory.descriptor)
  }

  package func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    if let written = try claimTagOfFile(uuid, for: name, in: directory, expecting: key) { return written.outcome }
    return try withFile(name, in: directory, expecting: key) { (file) throws(Errno) in try tag.claim(uuid, of: file) }
  }

  package func claimTagNotingTime(
    _ uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey
  ) throws(Errno) -> (outcome: TagWriting, changed: Int64?) {
    let notesTime = tellsChangesByTime(directory, key.device)
    if let written = try claimTagOfFile(uuid, for: name, in: directory, expecting: key, notingTime: notesTime) {
      return written
    }
    return (try claimTag(uuid, for: name, in: directory, expecting: key), nil)
  }

  private func tellsChangesByTime(_ directory: DirectoryHandle, _ device: UInt64) -> Bool {
    if timing.load(ordering: .relaxed) == device { return true }
    guard let type = try? FileSystemType.of(directory.descriptor), type.tellsChangesByTime,
      (try? directory.device()) == device
    else { return false }
    timing.store(device, ordering: .relaxed)
    return true
  }

  /// Writes the tag of a regular file that may be read: without a path in `/proc`, in three quarters of the time.
  ///
  /// - Returns: `nil` if it is no such file; the time of change only if it is asked for, and has fractions of a second.
  private func claimTagOfFile(
    _ uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey,
    notingTime notesTime: Bool = false
  ) throws(Errno) -> (outcome: TagWriting, changed: Int64?)? {
    // The kind is checked first: opening a FIFO wakes its writer, and opening a device may have any effect.
    guard let status = try? FileStatus.of(name, in: directory.descriptor), status.kind == .file,
      overlays.areOrdinary(on: status.device)
    else { return nil }
    guard FileKey(status) == key else { return (.notWritten, nil) }
    guard let file = try? OwnedDescriptor.open(name, in: directory.descriptor, for: .read) else { return nil }
    // The name may belong to another inode by now; the open descriptor cannot change.
    guard FileKey(try FileStatus.of(file)) == key, try tag.claim(uuid, of: file, isReadable: true) else {
      return (.notWritten, nil)
    }
    let changed = notesTime ? try? FileStatus.of(file).changed : nil
    return (.written, changed.flatMap { $0 % 1_000_000_000 == 0 ? nil : $0 })
  }

  package func replaceTag(
    with uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    try withFile(name, in: directory, expecting: key) { (file) throws(Errno) in
      try tag.replace(with: uuid, of: file)
      return true
    }
  }

  /// Opens an inode without reading the file, and writes its tag unless it is spared.
  ///
  /// The name may belong to another inode by now; the open descriptor cannot change.
  private func withFile(
    _ name: NameView, in directory: DirectoryHandle, expecting key: FileKey,
    _ write: (borrowing OwnedDescriptor) throws(Errno) -> Bool
  ) throws(Errno) -> TagWriting {
    let file: OwnedDescriptor
    do {
      file = try OwnedDescriptor.openPath(name, in: directory.descriptor)
    } catch {
      if error == .noSuchFileOrDirectory { return .notWritten }
      throw error
    }
    let status = try overlays.status(of: file)
    guard FileKey(status) == key else { return .notWritten }
    if status.isSpared { return .spared }
    return try write(file) ? .written : .notWritten
  }
}

internal import CLinux
import Glibc
package import SystemPackage

/// A regular file that is open for one reading of its content.
///
/// The reading leaves as little behind as the kernel allows: no time of access (`O_NOATIME`, where the file is one's
/// own), and pages of the cache that are the first to go.
package struct ContentReading: ~Copyable {
  /// The status when it was opened.
  package let status: FileStatus
  private let file: OwnedDescriptor

  private init(status: FileStatus, file: consuming OwnedDescriptor) {
    self.status = status
    self.file = file
  }

  /// The number of bytes that are read at once: between two parts, the reading can be ended.
  package static var partSize: Int { 1 << 18 }
  /// Within this time after a change, in nanoseconds, another one might leave the same times behind.
  private static var clockTick: Int64 { 20_000_000 }
  /// The number of bytes beyond which a file with holes is not read.
  private static var largestWithHoles: Int64 { 1 << 26 }

  /// Opens a name in a directory for reading, if it is a regular file.
  ///
  /// The kind is known before anything is opened for reading: to open a FIFO wakes its writer, and to open a device may
  /// have any effect. No symbolic link is followed.
  ///
  /// - Parameter isWanted: Whether to read a file with this status.
  /// - Throws: EINVAL if it is no regular file, or not wanted; EACCES if it may not be read; EFBIG if
  ///   it is a large file with holes; EAGAIN if it has changed
  ///   just now.
  package static func open(
    _ name: NameView, in directory: borrowing OwnedDescriptor, if isWanted: (FileStatus) -> Bool = { _ in true }
  ) throws(Errno) -> ContentReading {
    let found = try OwnedDescriptor.openPath(name, in: directory)
    let status = try FileStatus.of(found)
    guard status.kind == .file, isWanted(status) else { throw .invalidArgument }
    let age = WallClock.interval(from: status.changed, to: WallClock.nanoseconds)
    guard !(0..<clockTick ~= age) else { throw .resourceTemporarilyUnavailable }
    let file = try reopen(found)
    guard status.size <= largestWithHoles || !hasHoles(file, status.size) else { throw .fileTooLarge }
    let number = file.number
    _ = try? retryingOnInterrupt { clinux_advise_single_reading(number) }
    return ContentReading(status: status, file: file)
  }

  /// Opens exactly this inode for reading, whatever has its name by now.
  private static func reopen(_ found: borrowing OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = unsafe try ProcessPath.with(descriptor: found.number) { (path) throws(Errno) -> CInt in
      do throws(Errno) {
        let quiet = flags | clinux_O_NOATIME
        return try retryingOnInterrupt { unsafe clinux_openat(AT_FDCWD, path, quiet, 0) }
      } catch {
        // Only the owner may leave the time of access alone.
        guard error == .notPermitted else { throw error }
        return try retryingOnInterrupt { unsafe clinux_openat(AT_FDCWD, path, flags, 0) }
      }
    }
    return OwnedDescriptor(owning: number)
  }

  /// Whether parts of the file were never written, as of a disk image.
  private static func hasHoles(_ file: borrowing OwnedDescriptor, _ size: Int64) -> Bool {
    let number = file.number
    return (try? retryingOnInterrupt({ clinux_seek_hole(number, 0) })).map { $0 < size } ?? false
  }

  /// Reads all of the content, unless `body` ends that.
  ///
  /// - Parameter body: Called with each part, in order; `false` ends the reading.
  /// - Returns: Whether all was read, and the file had the same content from the first byte to the last: neither its
  ///   size nor its times have changed meanwhile.
  package borrowing func forEachPart(_ body: (UnsafeRawBufferPointer) -> Bool) throws(Errno) -> Bool {
    var isWanted = true
    // One byte more shows a file that grows.
    let end = unsafe try file.forEachPart(of: 0..<status.size + 1, size: Self.partSize) { (part) throws(Errno) in
      isWanted = unsafe body(part)
      return isWanted
    }
    guard isWanted else { return false }
    let now = try FileStatus.of(file)
    return end == status.size && now.size == status.size && now.modified == status.modified
      && now.changed == status.changed
  }
}

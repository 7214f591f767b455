internal import CLinux
import Glibc
package import SystemPackage

/// Copies the content of one open file to another, with the cheapest method available.
package enum ContentCopy {
  /// The methods, cheapest first.
  package enum Method: Sendable, CaseIterable {
    /// `ioctl(FICLONE)`: the files share their blocks until a write.
    case clone
    /// `copy_file_range(2)`: the kernel, or the server, copies.
    case kernel
    /// `pread(2)` and `pwrite(2)`.
    case buffer
  }

  /// Called with the number of further bytes copied.
  package typealias Progress = (Int64) throws(Errno) -> Void

  /// Copies all content of `source` into the empty file `destination`, and keeps holes.
  ///
  /// - Parameters:
  ///   - method: The cheapest method to try. If the file systems cannot do it, the next one follows.
  ///   - progress: Called with the number of further bytes copied, holes included; an error ends the copy.
  package static func copy(
    from source: borrowing OwnedDescriptor, to destination: borrowing OwnedDescriptor, by method: Method = .clone,
    progress: Progress = { (_) throws(Errno) in }
  ) throws(Errno) {
    let size = try FileStatus.of(source).size
    if method == .clone, clone(source, to: destination) { return try progress(size) }
    var byKernel = method != .buffer
    var position: Int64 = 0
    while let (start, end) = try nextData(in: source, from: position, to: size) {
      if start > position { try progress(start - position) }
      position = start
      if byKernel {
        position = try copyByKernel(from: source, to: destination, start..<end, progress)
        byKernel = position == end
      }
      try copyThroughBuffer(from: source, to: destination, position..<end, progress)
      position = end
    }
    if size > position { try progress(size - position) }
    _ = try retryingOnInterrupt { Glibc.ftruncate(destination.number, Int(size)) }
  }

  private static func clone(_ source: borrowing OwnedDescriptor, to destination: borrowing OwnedDescriptor) -> Bool {
    let (from, to) = (source.number, destination.number)
    return (try? retryingOnInterrupt { clinux_clone(to, from) }) != nil
  }

  /// The next range of data.
  ///
  /// Without support for holes, the whole file is one range.
  private static func nextData(
    in file: borrowing OwnedDescriptor, from position: Int64, to size: Int64
  ) throws(Errno) -> (start: Int64, end: Int64)? {
    guard position < size else { return nil }
    let number = file.number
    do throws(Errno) {
      let start = try retryingOnInterrupt { clinux_seek_data(number, position) }
      let end = try retryingOnInterrupt { clinux_seek_hole(number, start) }
      return start < size ? (start, min(end, size)) : nil
    } catch {
      if error == .noSuchAddressOrDevice { return nil }
      return (position, size)
    }
  }

  /// Copies until the end or an obstacle, and returns the offset.
  private static func copyByKernel(
    from source: borrowing OwnedDescriptor, to destination: borrowing OwnedDescriptor, _ range: Range<Int64>,
    _ progress: Progress
  ) throws(Errno) -> Int64 {
    let (from, to) = (source.number, destination.number)
    var position = range.lowerBound
    while position < range.upperBound {
      var copied: Int64 = 0
      let (offset, length) = (position, min(chunkSize, Int(range.upperBound - position)))
      do throws(Errno) {
        let count = try retryingOnInterrupt { clinux_copy_file_range(from, to, offset, length) }
        if count == 0 { return position }
        position += Int64(count)
        copied = Int64(count)
      } catch {
        // A full disk is full for every method; other errors may be limits of this one.
        if error == .noSpace || error == .diskQuotaExceeded { throw error }
        return position
      }
      try progress(copied)
    }
    return position
  }

  /// The size of one system call, so that progress is visible and the copy can be ended.
  private static let chunkSize = 16 * 1024 * 1024
  private static let bufferSize = 1024 * 1024

  private static func copyThroughBuffer(
    from source: borrowing OwnedDescriptor, to destination: borrowing OwnedDescriptor, _ range: Range<Int64>,
    _ progress: Progress
  ) throws(Errno) {
    var position = range.lowerBound
    // If the source has become shorter, the caller finds another size.
    _ = unsafe try source.forEachPart(of: range, size: bufferSize) { (part) throws(Errno) in
      unsafe try write(part, to: destination, at: position)
      position += Int64(part.count)
      try progress(Int64(part.count))
      return true
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to file: borrowing OwnedDescriptor, at position: Int64
  ) throws(Errno) {
    var written = 0
    while written < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
      let offset = Int(position) + written
      written += try retryingOnInterrupt { unsafe Glibc.pwrite(file.number, rest.baseAddress, rest.count, offset) }
    }
  }
}

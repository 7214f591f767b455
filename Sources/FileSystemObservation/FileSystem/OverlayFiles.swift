import LinuxFileSystem
import SystemPackage

import struct Synchronization.Atomic

/// The peculiarities of files on an overlay file system (overlayfs).
///
/// Writing to a file that is only in a lower layer, even a tag, copies the whole file to the upper layer, and changes
/// its birth time. So such files are spared, and identified by what does not change.
final class OverlayFiles: Sendable {
  private let sparesLower: Bool
  /// By device, whether it belongs to an overlay.
  private let devices = Mutex<[UInt64: Bool]>([:])
  /// Since when each overlay has been known: later changes are in its upper layer.
  private let beginnings = Mutex<[UInt64: Int64]>([:])
  /// A device of no overlay, nearly always that of the next file, too, so that no look-up is needed.
  private let ordinary = Atomic(UInt64.max)

  init(sparesLower: Bool) {
    self.sparesLower = sparesLower
  }

  /// Whether a device is known not to belong to an overlay.
  func areOrdinary(on device: UInt64) -> Bool {
    ordinary.load(ordering: .relaxed) == device || devices.withLock { $0[device] } == false
  }

  /// `statx(2)` of an open file, adapted on an overlay.
  func status(of file: borrowing OwnedDescriptor) throws(Errno) -> FileStatus {
    let status = try FileStatus.of(file)
    return try isOverlay(file, status.device) ? adapted(status, file) : status
  }

  private func isOverlay(_ file: borrowing OwnedDescriptor, _ device: UInt64) throws(Errno) -> Bool {
    if ordinary.load(ordering: .relaxed) == device { return false }
    if let known = devices.withLock({ $0[device] }) { return known }
    let description = try FileSystemDescription.of(file)
    let isOverlay = FileSystemType(magic: description.type) == .overlay
    if isOverlay { _ = beginning(of: description) } else { ordinary.store(device, ordering: .relaxed) }
    devices.withLock { $0[device] = isOverlay }
    return isOverlay
  }

  private func adapted(_ status: FileStatus, _ file: borrowing OwnedDescriptor) throws(Errno) -> FileStatus {
    var status = status
    switch OverlayLayer.of(file) {
    case .upper: return status
    case .lower(let origin): status.born = origin
    // Only the inode number remains.
    case .unknown: status.born = 0
    }
    guard sparesLower else { return status }
    let description = try FileSystemDescription.of(file)
    status.isSpared = !description.isReadOnly && status.changed <= beginning(of: description)
    return status
  }

  private func beginning(of overlay: FileSystemDescription) -> Int64 {
    let now = WallClock.nanoseconds
    return beginnings.withLock { beginnings in
      if let known = beginnings[overlay.identifier] { return known }
      beginnings[overlay.identifier] = now
      return now
    }
  }
}

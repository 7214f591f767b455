internal import CLinux
import SystemPackage

/// The origin of a file of an overlay file system (overlayfs), according to its handle.
package enum OverlayLayer: Equatable, Sendable {
  /// Created in the upper layer.
  case upper
  /// From a lower layer, and perhaps copied up since.
  ///
  /// - Parameter origin: A number of the lower file, above 2. Unlike the birth time, it stays the same when the file is
  ///   copied up.
  case lower(origin: Int64)
  /// Unknown before Linux 6.6, or if the layers have no handles.
  case unknown
}

extension OverlayLayer {
  /// `OVL_FILEID_V1`.
  private static let handleType: Int32 = 0xf8
  /// The offsets of the parts of `struct ovl_fb`, after three bytes of padding.
  private enum Offset { static let (version, magic, flags, file) = (3, 4, 6, 7) }
  private static let magic: UInt8 = 0xfb
  /// `OVL_FH_FLAG_PATH_UPPER`.
  private static let upperFlag: UInt8 = 1 << 2

  /// Parses a handle (`fs/overlayfs/overlayfs.h`).
  package init(type: Int32, bytes: UnsafeRawBufferPointer) {
    guard type == Self.handleType, bytes.count > Offset.file, unsafe bytes[Offset.version] == 0,
      unsafe bytes[Offset.magic] == Self.magic
    else {
      self = .unknown
      return
    }
    let isUpper = unsafe bytes[Offset.flags] & Self.upperFlag != 0
    self = isUpper ? .upper : unsafe .lower(origin: Self.number(of: bytes[Offset.file...]))
  }

  /// FNV-1a, equal in every process, and small enough to look like a birth in January 1970.
  private static func number(of bytes: Slice<UnsafeRawBufferPointer>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in unsafe bytes.indices { hash = unsafe (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return Int64(hash >> 14) + 3
  }

  /// `name_to_handle_at(2)` of a descriptor, which may have `O_PATH`.
  package static func of(_ descriptor: borrowing OwnedDescriptor) -> OverlayLayer {
    let number = descriptor.number
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: KernelHandle.longest) { room in
      var count = UInt32(room.count)
      var (type, mount): (CInt, CInt) = (0, 0)
      do throws(Errno) {
        _ = try retryingOnInterrupt { unsafe clinux_file_handle(number, room.baseAddress, &count, &type, &mount) }
      } catch {
        return .unknown
      }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<min(room.count, Int(count))])
      return unsafe OverlayLayer(type: type, bytes: bytes)
    }
  }
}

internal import CLinux
import SystemPackage

/// Where a file of an overlay file system (overlayfs) comes from, as far as its handle tells.
package enum OverlayLayer: Equatable, Sendable {
  /// It was made in the upper layer.
  case upper
  /// It comes from a lower layer, and may have been copied up since.
  ///
  /// - Parameter origin: A number of the file there, above 2: other than the birth time, it stays the same when the
  ///   file is copied up.
  case lower(origin: Int64)
  /// The kernel (before 6.6) does not tell, or the layers know no handles.
  case unknown
}

extension OverlayLayer {
  /// `OVL_FILEID_V1`.
  private static let handleType: Int32 = 0xf8
  /// Where in the handle the parts of `struct ovl_fb` stand, behind three bytes of padding.
  private enum Offset { static let (version, magic, flags, file) = (3, 4, 6, 7) }
  private static let magic: UInt8 = 0xfb
  /// `OVL_FH_FLAG_PATH_UPPER`.
  private static let upperFlag: UInt8 = 1 << 2

  /// Takes apart a handle as in the kernel's `fs/overlayfs/overlayfs.h`.
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

  /// FNV-1a, the same in every process; small enough that it looks like a birth long ago, in January 1970.
  private static func number(of bytes: Slice<UnsafeRawBufferPointer>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in unsafe bytes.indices { hash = unsafe (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return Int64(hash >> 14) + 3
  }

  /// `name_to_handle_at(2)` of what is open, `O_PATH` descriptors included.
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

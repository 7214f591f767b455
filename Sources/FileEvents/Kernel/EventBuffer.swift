/// The memory that a reader has for events.
@safe final class EventBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 8)

  deinit {
    unsafe bytes.deallocate()
  }
}

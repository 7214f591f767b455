internal import CLinux

/// The caches of the processor.
package enum ProcessorCache {
  /// Starts to load an address into the cache; does nothing if it is unreadable.
  @unsafe
  package static func prefetch(_ address: UnsafeRawPointer) {
    unsafe clinux_prefetch(address)
  }
}

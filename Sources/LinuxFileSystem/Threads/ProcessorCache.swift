internal import CLinux

/// The caches of the processor.
package enum ProcessorCache {
  /// Begins to fetch what stands at an address; nothing happens where nothing may be read.
  @unsafe
  package static func prefetch(_ address: UnsafeRawPointer) {
    unsafe clinux_prefetch(address)
  }
}

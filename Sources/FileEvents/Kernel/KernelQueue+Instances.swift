import LinuxFileSystem
import SystemPackage

extension InotifyInstance: KernelQueue {
  static var rest: (usual: Int64, inBurst: Int64) { (2_000_000, 2_000_000) }

  borrowing func withDescriptor(_ body: (borrowing OwnedDescriptor) throws(Errno) -> Void) throws(Errno) {
    try body(descriptor)
  }

  borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer, _ translator: inout InotifyTranslator, _ batch: inout HintBatch
  ) throws(Errno) -> (count: Int, mayBeMore: Bool) {
    var count = 0
    let mayBeMore = unsafe try readEvents(into: buffer) { event in
      count += 1
      unsafe InotifyTranslator.append(event, to: &batch)
    }
    return (count, mayBeMore)
  }
}

extension FanotifyInstance: KernelQueue {
  /// The longer events wait, the more of them the kernel merges, and with them their order: so there is none but in a
  /// burst, where the thread would wake for each event.
  static var rest: (usual: Int64, inBurst: Int64) { (0, 500_000) }

  borrowing func withDescriptor(_ body: (borrowing OwnedDescriptor) throws(Errno) -> Void) throws(Errno) {
    try body(descriptor)
  }

  /// Once the queue was empty, the kernel cannot merge anything into what was read.
  ///
  /// The kernel cannot report a rename to or from a name of more than 255 bytes, and drops everything that was read
  /// with it (EFAULT): a loss like any other.
  borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer, _ translator: inout FanotifyTranslator, _ batch: inout HintBatch
  ) throws(Errno) -> (count: Int, mayBeMore: Bool) {
    var (count, mayBeMore) = (0, true)
    do throws(Errno) {
      mayBeMore = try unsafe readEvents(into: buffer) { event in
        count += 1
        unsafe translator.append(event, to: &batch)
      }
    } catch {
      guard error == .badAddress else { throw error }
      translator.eventsWereLost()
      batch.noteLoss()
    }
    if !mayBeMore { translator.queueWasEmpty() }
    return (count, mayBeMore)
  }
}

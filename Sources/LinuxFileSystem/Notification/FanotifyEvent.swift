/// One record as fanotify tells it: what happened to one file under one name, or in one rename.
///
/// The kernel merges what happens until it is read, so that the bits of the mask are a set without an order. The names
/// are valid only within the call that gives them.
@unsafe
package struct FanotifyEvent {
  /// A name in a directory.
  @unsafe
  package struct Place {
    package var directory: KernelHandle
    /// `.` for the directory itself, empty where it is not known.
    package var name: UnsafeBufferPointer<UInt8>

    package init(directory: KernelHandle, name: UnsafeBufferPointer<UInt8>) {
      unsafe self.directory = directory
      unsafe self.name = unsafe name
    }

    /// Whether the kernel does not say which entry it is about: it keeps no name of more than 255 bytes.
    package var isNameless: Bool { unsafe name.isEmpty }

    /// Whether the event is about the directory itself.
    package var isItself: Bool { unsafe name.count == 1 && name[0] == UInt8(ascii: ".") }
  }

  package var mask: FanotifyMask
  /// Whether this process did it.
  package var isOwn: Bool
  /// Where it happened.
  package var place: Place?
  /// Where a rename came from, if that directory is marked.
  package var old: Place?
  /// Where a rename led to, if that directory is marked.
  package var new: Place?
  /// The file it happened to.
  package var file: KernelHandle?

  package init(
    mask: FanotifyMask, isOwn: Bool = false, place: Place? = nil, old: Place? = nil, new: Place? = nil,
    file: KernelHandle? = nil
  ) {
    unsafe self.mask = mask
    unsafe self.isOwn = isOwn
    unsafe self.place = unsafe place
    unsafe self.old = unsafe old
    unsafe self.new = unsafe new
    unsafe self.file = file
  }
}

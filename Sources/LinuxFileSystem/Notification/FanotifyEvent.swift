/// A record of fanotify: changes of one file under one name, or one rename.
///
/// The kernel merges unread events, so that the bits of the mask have no order. The names are valid only during the
/// call that passes them.
@unsafe
package struct FanotifyEvent {
  /// A name in a directory.
  @unsafe
  package struct Place {
    package var directory: KernelHandle
    /// `.` for the directory itself, empty if unknown.
    package var name: UnsafeBufferPointer<UInt8>

    package init(directory: KernelHandle, name: UnsafeBufferPointer<UInt8>) {
      unsafe self.directory = directory
      unsafe self.name = unsafe name
    }

    /// Whether the kernel omits the entry's name, which is longer than 255 bytes.
    package var isNameless: Bool { unsafe name.isEmpty }

    /// Whether the event is about the directory itself.
    package var isItself: Bool { unsafe name.count == 1 && name[0] == UInt8(ascii: ".") }
  }

  package var mask: FanotifyMask
  /// Whether this process caused the event.
  package var isOwn: Bool
  /// The place of the change.
  package var place: Place?
  /// The old place of a rename, if its directory is marked.
  package var old: Place?
  /// The new place of a rename, if its directory is marked.
  package var new: Place?
  /// The changed file.
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

/// One event as inotify tells it; the name is valid only within the call that gives it.
@unsafe
package struct InotifyEvent {
  package var watch: WatchNumber
  package var mask: InotifyMask
  package var cookie: UInt32
  /// Empty where the event is about the watched directory itself.
  package var name: UnsafeBufferPointer<UInt8>

  package init(watch: WatchNumber, mask: InotifyMask, cookie: UInt32, name: UnsafeBufferPointer<UInt8>) {
    unsafe self.watch = watch
    unsafe self.mask = mask
    unsafe self.cookie = cookie
    unsafe self.name = unsafe name
  }
}

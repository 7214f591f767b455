/// An event of inotify; the name is valid only during the call that passes it.
@unsafe
package struct InotifyEvent {
  package var watch: WatchNumber
  package var mask: InotifyMask
  package var cookie: UInt32
  /// Empty for an event of the watched directory itself.
  package var name: UnsafeBufferPointer<UInt8>

  package init(watch: WatchNumber, mask: InotifyMask, cookie: UInt32, name: UnsafeBufferPointer<UInt8>) {
    unsafe self.watch = watch
    unsafe self.mask = mask
    unsafe self.cookie = cookie
    unsafe self.name = unsafe name
  }
}

package import LinuxFileSystem

/// Turns events of inotify into hints.
package struct InotifyTranslator: EventTranslator {
  package init() {}

  func isNew(_ mount: MountNumber) -> Bool { false }

  /// inotify reports each watch that ends with its mount.
  mutating func takeUnmounted(_ table: MountTable) -> [MarkID] { [] }

  mutating func forget(_ mark: MarkID) {}

  /// Appends the hint of one event, and merges it with the last one if it says nothing new.
  package static func append(_ event: InotifyEvent, to batch: inout HintBatch) {
    if unsafe event.mask.contains(.queueOverflow) {
      return batch.noteLoss()
    }
    let directory = unsafe MarkID(rawValue: event.watch.rawValue)
    let kinds = unsafe kinds(of: event.mask)
    if unsafe batch.extendLast(directory, kinds, [], event.name, nil) { return }
    let name = unsafe event.name.isEmpty ? nil : FileName(bytes: event.name)
    unsafe batch.hints.append(Hint(directory: directory, kinds: kinds, cookie: event.cookie, name: name))
  }

  private static let meanings: [(bit: InotifyMask, kind: HintKinds)] = [
    (.create, .created), (.delete, .removed), (.movedFrom, .movedFrom), (.movedTo, .movedTo), (.modify, .written),
    (.closeWrite, .closed), (.attribute, .attributes), (.isDirectory, .directory), (.deleteSelf, .selfRemoved),
    (.moveSelf, .selfMoved), (.unmount, .unmounted), (.ignored, .markGone),
  ]

  private static func kinds(of mask: InotifyMask) -> HintKinds {
    var kinds = HintKinds()
    for meaning in meanings where mask.contains(meaning.bit) { kinds.formUnion(meaning.kind) }
    return kinds
  }
}

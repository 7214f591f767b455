import CFloor
import Foundation
import Synchronization

/// A thread that reads inotify and does nothing else: what the kernel makes possible.
final class BareInotify: Contender {
  let name = "inotify(7) alone"
  let sightings = Sightings()
  /// The paths of the watched folders, by the number of their watch.
  private let folders = Mutex<[Int32: String]>([:])
  private let descriptor = Mutex<Int32>(-1)

  func begin(in folder: Folder) throws {
    let number = cfloor_inotify()
    descriptor.withLock { $0 = number }
    watch(folder.path, number)
    for name in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? [] {
      // What is no folder cannot be watched for what happens in it.
      watch(folder[name], number)
    }
    Thread.detachNewThread { [self] in
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      while unsafe cfloor_read(number, context, Self.told) != 0 {}
    }
  }

  private func watch(_ path: String, _ number: Int32) {
    let watch = unsafe cfloor_watch(number, path)
    if watch >= 0 { folders.withLock { $0[watch] = path } }
  }

  private static let told: @convention(c) (UnsafeMutableRawPointer?, Int32, UInt32, UnsafePointer<CChar>) -> Void = {
    context, watch, mask, name in
    let now = Moment.now
    guard let context = unsafe context else { return }
    let contender = unsafe Unmanaged<BareInotify>.fromOpaque(context).takeUnretainedValue()
    let folder = contender.folders.withLock { $0[watch] } ?? ""
    let name = unsafe String(cString: name)
    for (bit, word) in words where mask & bit != 0 {
      contender.sightings.note(word, "\(folder)/\(name)", at: now)
    }
  }

  private static let words: [(UInt32, String)] = [
    (0x8, "CLOSE_WRITE"), (0x40, "MOVED_FROM"), (0x80, "MOVED_TO"), (0x100, "CREATE"), (0x200, "DELETE"),
  ]

  /// The thread goes on until the process ends: there is nothing to wake it by.
  func end() {}

  func sight(of happening: Happening) -> Sightings.Sight {
    Sightings.Sight(word: happening.event, path: happening.path)
  }
}

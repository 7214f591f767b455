import CAdwaita
import Dispatch
import FileSystemObservation
import FoundationEssentials
import Synchronization
import SystemPackage

/// Small pictures of images, made on another thread when they are asked for, and kept for a while.
///
/// What was asked for last is made first: it is what a person looks at.
final class Thumbnails {
  /// A version of a document, and how large its picture is.
  struct Key: Hashable, Sendable {
    var uuid: UUID
    var modified: Int64
    var size: Int32
  }

  /// The largest file that is read.
  private static let sizeLimit: Int64 = 64 << 20
  /// How many pictures are kept.
  private static let limit = 600

  private var textures: [Key: Reference] = [:]
  private var order: [Key] = []
  private var waiting: [Key: [(Reference) -> Void]] = [:]
  private let maker = ThumbnailMaker()

  /// The picture of a document if there is one; otherwise it is made, and the block called with it.
  func picture(of item: FileSystemItem.Snapshot, size: Int32, _ isReady: @escaping (Reference) -> Void) -> Reference? {
    guard item.kind == .file, !item.isCopying, (1...Self.sizeLimit).contains(item.size) else { return nil }
    let key = Key(uuid: item.uuid, modified: item.modificationNanoseconds, size: size)
    if let texture = textures[key] { return texture }
    if waiting[key] != nil {
      waiting[key]?.append(isReady)
      return nil
    }
    waiting[key] = [isReady]
    maker.make(key, from: item.path) { [weak self] picture in self?.take(key, picture) }
    return nil
  }

  private func take(_ key: Key, _ picture: ThumbnailMaker.Picture?) {
    let blocks = waiting.removeValue(forKey: key) ?? []
    guard let picture else { return }
    let texture = Reference(taking: gdk_texture_new_for_pixbuf(picture.pixels))
    g_object_unref(picture.pixels.raw)
    textures[key] = texture
    order.append(key)
    if order.count > Self.limit { textures[order.removeFirst()] = nil }
    blocks.forEach { $0(texture) }
  }
}

/// Makes pictures on a thread of its own.
nonisolated private final class ThumbnailMaker: Sendable {
  /// A picture, a reference to which goes from one thread to another.
  struct Picture: @unchecked Sendable {
    let pixels: OpaquePointer
  }

  private struct Job: Sendable {
    var key: Thumbnails.Key
    var path: FilePath
    var done: @Sendable @MainActor (Picture?) -> Void
  }

  private let queue = DispatchQueue(label: "thumbnails", qos: .utility)
  private let jobs = Mutex<[Job]>([])

  func make(_ key: Thumbnails.Key, from path: FilePath, _ done: @escaping @Sendable @MainActor (Picture?) -> Void) {
    jobs.withLock { $0.append(Job(key: key, path: path, done: done)) }
    queue.async { [self] in
      guard let job = jobs.withLock({ $0.popLast() }) else { return }
      let pixels = gdk_pixbuf_new_from_file_at_scale(job.path.string, job.key.size, job.key.size, 1, nil)
      let picture = pixels.flatMap { gdk_pixbuf_apply_embedded_orientation($0) }.map { Picture(pixels: $0) }
      if let pixels { g_object_unref(UnsafeMutableRawPointer(pixels)) }
      Task { @MainActor in job.done(picture) }
    }
  }
}

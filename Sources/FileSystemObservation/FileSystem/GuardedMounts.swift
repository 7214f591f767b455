import FileEvents
import LinuxFileSystem
import SystemPackage

import struct Synchronization.Atomic

/// The mounts in and above the observed tree that may not answer, with their guards, and its automounts.
///
/// Mounts inside a mount that may not answer count as part of it.
final class GuardedMounts: Sendable {
  /// The special mount at a name.
  enum Crossing: Sendable {
    case guarded(MountGuard)
    /// An automount: opening it would mount something.
    case automount
  }

  private struct Item: Sendable {
    let point: MountPoint
    let crossing: Crossing
    /// The directory that has the mount point.
    let parent: DirectoryID
    let name: FileName

    var guardian: MountGuard? {
      if case .guarded(let guardian) = crossing { guardian } else { nil }
    }

    func end() { guardian?.end() }
  }

  private struct State: Sendable {
    var items: [Item] = []
    /// Whether any mount of the machine may hang, as of the last reading.
    var mayHang: Bool?
    /// Guards opening by path, and the observed directory if that may hang.
    var paths: MountGuard?
    /// The path of the observed directory, if its mount may hang.
    var root: FilePath?
    /// Called when there is news of mounts.
    var newsHandler: (@Sendable () -> Void)?
    /// Mounts that refuse access, and whether to report that.
    var refused: [MountNumber: Bool] = [:]
    var isEnded = false
  }

  /// The time limits of a call in nanoseconds, at the start and later.
  private let limits: (start: Int64, later: Int64)
  private let state = Mutex(State())
  /// Whether there are such mounts below the observed directory, or it is on one.
  private let hasAny = Atomic(false)

  /// - Parameter limit: The time limit of each call in nanoseconds; by default that of an observer.
  init(limit: Int64? = nil) {
    limits = (limit ?? MountGuard.startTimeout, limit ?? MountGuard.timeout)
  }

  /// Reads the mounts below a directory; known ones keep their guards.
  func update(below root: DirectoryHandle) {
    // If the root's own mount may hang, mounts below the root count as part of it.
    guard let path = FilePath.ofOpen(root.descriptor) else { return }
    state.withLock { $0.root = root.mountGuard == nil ? nil : path }
    if root.mountGuard != nil { return hasAny.store(true, ordering: .releasing) }
    let special = MountPoint.special()
    let known = state.withLock { state in
      state.mayHang = special.contains(where: \.mayHang)
      return state.items
    }
    var items: [Item] = []
    for point in special where point.path.starts(with: path) && point.path != path {
      if items.contains(where: { $0.guardian != nil && point.path.starts(with: $0.point.path) }) { continue }
      if let item = known.first(where: { $0.point == point }) ?? item(point, below: root, at: path) {
        items.append(item)
      }
    }
    let gone = known.filter { item in !items.contains { $0.point == item.point } }
    let isEnded = state.withLock { state in
      state.items = items
      state.refused = state.refused.filter { refused in items.contains { $0.point.number == refused.key } }
      return state.isEnded
    }
    hasAny.store(!items.isEmpty, ordering: .releasing)
    for item in isEnded ? items + gone : gone { item.end() }
  }

  /// Makes the item of a mount; the way to its parent directory leads through no mount that may hang.
  private func item(_ point: MountPoint, below root: DirectoryHandle, at path: FilePath) -> Item? {
    var rest = point.path
    guard rest.removePrefix(path), let last = rest.components.last else { return nil }
    var directory = root
    for component in rest.components.dropLast() {
      let next = FileName(component).withView { try? directory.open($0, for: .search) }
      guard let next else { return nil }
      directory = next
    }
    guard let status = try? FileStatus.of(directory.descriptor) else { return nil }
    let crossing = point.isAutomount ? Crossing.automount : .guarded(makeGuard(limits.later))
    return Item(point: point, crossing: crossing, parent: DirectoryID(status), name: FileName(last))
  }

  /// The names in an ordinary directory that are special mounts.
  func crossings(in directory: DirectoryHandle) -> [FileName: Crossing] {
    guard hasAny.load(ordering: .acquiring), let status = try? FileStatus.of(directory.descriptor) else { return [:] }
    let id = DirectoryID(status)
    return state.withLock { state in
      state.items.reduce(into: [:]) { found, item in if item.parent == id { found[item.name] = item.crossing } }
    }
  }

  func crossing(_ name: NameView, in directory: DirectoryHandle) -> Crossing? {
    guard hasAny.load(ordering: .acquiring) else { return nil }
    return crossings(in: directory)[FileName(name)]
  }

  /// The guard for opening a directory by its path; `nil` if no mount of the machine may hang.
  ///
  /// Symbolic links in the path may lead anywhere.
  func guardian(of path: FilePath) -> MountGuard? {
    let known = state.withLock { state in state.items.last { $0.guardian != nil && path.starts(with: $0.point.path) } }
    if let guardian = known?.guardian { return guardian }
    let mayHang = state.withLock { $0.mayHang } ?? MountPoint.special().contains(where: \.mayHang)
    guard mayHang else { return nil }
    return state.withLock { state in
      let guardian = state.paths ?? makeGuard(limits.start)
      state.paths = guardian
      if state.isEnded { guardian.end() }
      return guardian
    }
  }
}

// MARK: - News

extension GuardedMounts {
  func onNews(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.newsHandler = handler } }

  private func makeGuard(_ timeout: Int64) -> MountGuard {
    MountGuard(timeout: timeout) { [weak self] in
      let handler = self?.state.withLock { $0.newsHandler }
      handler?()
    }
  }

  /// Notes that a mount refuses access: not even root may access a FUSE file system of another user.
  func noteRefusal(by guardian: MountGuard) {
    state.withLock { state in
      for item in state.items where item.guardian === guardian && state.refused[item.point.number] == nil {
        state.refused[item.point.number] = true
      }
    }
  }

  func takeNews() -> [MountNews] {
    guard hasAny.load(ordering: .acquiring) else { return [] }
    return state.withLock { state in
      var news: [MountNews] = []
      func take(_ guardian: MountGuard?, _ path: FilePath) {
        if guardian?.takeSilence() == true { news.append(MountNews(path: path, kind: .isSilent)) }
        if guardian?.takeAnswer() == true { news.append(MountNews(path: path, kind: .answers)) }
      }
      if let root = state.root { take(state.paths, root) }
      for item in state.items {
        take(item.guardian, item.point.path)
        if state.refused[item.point.number] == true {
          state.refused[item.point.number] = false
          news.append(MountNews(path: item.point.path, kind: .refuses))
        }
      }
      return news
    }
  }

  func end() {
    let (items, paths) = state.withLock { state in
      state.isEnded = true
      return (state.items, state.paths)
    }
    for item in items { item.end() }
    paths?.end()
  }
}

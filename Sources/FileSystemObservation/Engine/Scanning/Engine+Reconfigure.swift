import LinuxFileSystem
import SystemPackage

// Another filter while the tree is observed.

extension Engine {
  /// Applies another filter.
  ///
  /// Items that the filter now excludes are announced as moved out, and items that it now admits as discovered. Only
  /// directories that the two filters treat differently are listed.
  func reconfigure(_ filter: ItemFilter, _ now: MonotonicTime) {
    guard !isRootLost else { return settings.filter = filter }
    let former = settings.filter
    settings.filter = filter
    leaveUnobservedPlaces(now)
    removeExcluded(below: .root, now)
    performRequests(now)
    let directories = directories { filter.differs(from: former, in: $0, level: $1) }
    noteFilterReaches()
    setRevealing(true)
    for id in directories where isDirectory(id) { listAgain(id, now) }
    performRequests(now)
    setRevealing(false)
    noteRevealedFolders(former)
    advance(to: now)
  }

  private func setRevealing(_ isRevealing: Bool) {
    folderArrivals?.isRevealing = isRevealing
    state.classify { $0.setRevealing(isRevealing) }
  }

  /// Notes that folders which the former filter excluded have not arrived: they existed before.
  private func noteRevealedFolders(_ former: ItemFilter) {
    if folderArrivals == nil { return }
    let found = state.classify { classifier -> [(id: NodeID, place: Place)] in
      classifier.newDirectories.map { ($0, classifier.graph.place($0)) }
    }
    for (id, place) in found {
      let isIn = folderArrivals?.revealed.contains(place.parent) == true
      if isIn || isUnobserved(place, isDirectory: true, by: former) { folderArrivals?.revealed.insert(id) }
    }
  }

  /// Forgets what is in doubt at places that the filter now excludes.
  private func leaveUnobservedPlaces(_ now: MonotonicTime) {
    for (place, kind) in state.classify({ $0.undecidedPlaces })
    where isUnobserved(place, isDirectory: kind.map { $0 == .directory }) {
      state.classify(at: now) { $0.leave(place) }
    }
  }

  /// The root and all directories below it that fit, parents first.
  private func directories(where fits: ([UInt8], Int) -> Bool) -> [NodeID] {
    let storage = state.classify { $0.graph.storage }
    var found: [NodeID] = fits([], -1) ? [.root] : []
    storage.forEachDescendant(of: .root) { id in
      guard storage.nodes[id.index].kind == .directory else { return }
      if fits(storage.path(of: id), storage.level(of: id)) { found.append(id) }
    }
    return found
  }

  private func noteFilterReaches() {
    filterReaches = [:]
    guard settings.filter.dependsOnPlace else { return }
    for id in directories(where: { _, _ in true }) { filterReaches[id] = filterReach(of: id) }
  }

  private func listAgain(_ id: NodeID, _ now: MonotonicTime) {
    if id == .root { return scanRootAgain(now) }
    if isListed(id) { return scanDirectory(id, now) }
    forget(id)
    state.classify(at: now) { $0.setUnlistable(id, false, mayPass: true) }
  }
}

import FileIdentity
import LinuxFileSystem

// What continues the identities of a removed folder.

/// What continues the identity of an item that is removed with its folder.
enum Successor: Equatable, Sendable {
  /// An announced copy.
  case entry(NodeID)
  /// A copy that is not announced.
  case arrival(Place)
}

extension Classifier {
  /// The successors of a removed folder and of the items in it.
  ///
  /// - Parameter version: The folder that was made for it, in which its items go on by their names.
  func successors(in top: NodeID, _ version: NodeID?) -> [NodeID: Successor] {
    var successors: [NodeID: Successor] = [:]
    successors[top] = version.map { .entry($0) } ?? successor(of: top, in: top, besides: nil)
    // Parents come first: a symbolic link follows its folder, and so does one of several copies.
    graph.storage.forEachDescendant(of: top) { id in
      let folder = successors[graph[id].parent]
      if version != nil, let namesake = namesake(of: id, in: folder) { return successors[id] = namesake }
      let copy =
        graph[id].kind == .symlink ? successor(ofLink: id, successors) : successor(of: id, in: top, besides: folder)
      if let copy, version.map({ isInside(copy, $0) }) ?? true { successors[id] = copy }
    }
    return successors
  }

  /// The file without a tag that has the name of a file in the copy of its folder, and is not announced: a program has
  /// saved the document there by replacement.
  func savedCopy(of id: NodeID, in folder: Successor?) -> Successor? {
    guard graph[id].kind == .file, case .arrival(let place)? = namesake(of: id, in: folder),
      graph.node(at: place) == nil, arrivals[place]?.entry?.tag == TagReading.none
    else { return nil }
    return .arrival(place)
  }

  /// The copy of a folder that was found last.
  func latestCopy(ofFolder id: NodeID) -> NodeID? {
    let uuid = graph[id].uuid
    let unconfirmed = unconfirmedTags.holders(of: uuid).compactMap { holder -> NodeID? in
      if case .entry(let copy) = holder, copy != id { copy } else { nil }
    }
    guard let copy = unconfirmed.first ?? copies.newestCopy(of: uuid), graph.isLive(copy),
      unresolved[copy] == nil, graph[copy].kind == .directory
    else { return nil }
    return copy
  }

  /// Whether a copy is in a folder; the items of a folder that is saved do not go on elsewhere.
  private func isInside(_ successor: Successor, _ folder: NodeID) -> Bool {
    switch successor {
    case .entry(let copy): graph.storage.isEntry(copy, inside: folder)
    case .arrival(let place): graph.storage.isEntry(place.parent, inside: folder)
    }
  }

  /// - Parameter folder: The successor of the folder that the item is in.
  private func successor(of id: NodeID, in top: NodeID, besides folder: Successor?) -> Successor? {
    let uuid = graph[id].uuid
    guard unannounced[id] == nil,
      unresolved[id] == nil || isRemoved(id), writing[unfinishedName(of: id)]?.mayBeCarried != false
    else { return nil }
    // A further name outside of the folder keeps the identity.
    if graph.hasOtherNames(id), !graph.names(of: id).allSatisfy({ graph.storage.isEntry($0, inside: top) }) {
      return nil
    }
    let waiting = unconfirmedTags.holders(of: uuid).filter { $0 != .entry(id) }
    if let only = waiting.first, waiting.count == 1 { return successor(of: id, only, in: top) }
    if !waiting.isEmpty {
      // Of several unconfirmed copies, none is known to be the newest; the folder's is.
      let holder = waiting.first { isNamesake($0, of: id, in: folder) }
      return holder.flatMap { successor(of: id, $0, in: top) }
    }
    // An older copy elsewhere was not what the folder was moved by.
    if let saved = savedCopy(of: id, in: folder) { return saved }
    guard let copy = copies.newestCopy(of: uuid), canSucceed(copy, id, in: top),
      writing[unfinishedName(of: copy)] == nil, copies.isIntact(copy, of: id, in: graph)
    else { return nil }
    return .entry(copy)
  }

  /// Whether an unconfirmed copy has the name of an item in the successor of the item's folder.
  private func isNamesake(_ holder: UnconfirmedTags.Holder, of id: NodeID, in folder: Successor?) -> Bool {
    guard case .entry(let folder) = folder else { return false }
    let place = Place(parent: folder, name: graph.name(id))
    return switch holder {
    case .entry(let copy): graph.node(at: place) == copy
    case .arrival(let other): other == place
    }
  }

  /// The successor of an item in a copy that is not announced, or not complete.
  private func successor(of id: NodeID, _ holder: UnconfirmedTags.Holder, in top: NodeID) -> Successor? {
    switch holder {
    case .entry(let copy):
      return graph[copy].flags.contains(.copying) && canSucceed(copy, id, in: top) ? .entry(copy) : nil
    case .arrival(let place):
      guard let arrival = arrivals[place], arrival.kind == graph[id].kind, !arrival.activity.isKnownInode,
        graph.node(with: arrival.key) == nil, graph.node(at: place) == nil, graph.isLive(place.parent),
        !graph.storage.isEntry(place.parent, inside: top)
      else { return nil }
      return .arrival(place)
    }
  }

  private func canSucceed(_ copy: NodeID, _ id: NodeID, in top: NodeID) -> Bool {
    graph.isLive(copy) && unresolved[copy] == nil && graph[copy].kind == graph[id].kind
      && !graph.storage.isEntry(copy, inside: top) && !graph.storage.isEntry(id, inside: copy)
  }

  /// The successor of a symbolic link, which has no tag: a link of the same name and length in the folder's successor.
  private func successor(ofLink id: NodeID, _ successors: [NodeID: Successor]) -> Successor? {
    guard case .entry(let folder) = successors[graph[id].parent], unresolved[id] == nil || isRemoved(id),
      let copy = graph.node(at: Place(parent: folder, name: graph.name(id))), graph[copy].kind == .symlink,
      unresolved[copy] == nil, graph[copy].size == graph[id].size
    else { return nil }
    return .entry(copy)
  }
}

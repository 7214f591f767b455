import FileIdentity
import FoundationEssentials

/// The scopes that an item is in, before and after a set of changes.
struct ScopeMembership {
  typealias Scope = FileSystemObserver.Scope

  enum Moment {
    case before, after
  }

  private let graph: FileGraph
  private var items: Set<UUIDBits> = []
  private var folders: Set<UUIDBits> = []
  private var subtrees: Set<UUIDBits> = []

  init(_ scopes: [Scope], _ graph: FileGraph) {
    self.graph = graph
    for scope in scopes {
      switch scope {
      case .all: break
      case .item(let uuid): items.insert(UUIDBits(uuid))
      case .folder(let uuid): folders.insert(UUIDBits(uuid))
      case .subtree(let uuid): subtrees.insert(UUIDBits(uuid))
      }
    }
  }

  /// Whether the only scope is the whole tree.
  var isEmpty: Bool { items.isEmpty && folders.isEmpty && subtrees.isEmpty }

  /// The items that scopes are named after.
  var namesakes: Set<UUIDBits> { items.union(folders).union(subtrees) }

  /// The scopes that an item in a directory is in.
  func scopes(of uuid: UUIDBits, in parent: NodeID, _ moment: Moment) -> Set<Scope> {
    var found = scopesOfContents(of: parent, moment)
    if items.contains(uuid) { found.insert(.item(UUID(uuid))) }
    if folders.contains(uuid) { found.insert(.folder(UUID(uuid))) }
    if subtrees.contains(uuid) { found.insert(.subtree(UUID(uuid))) }
    return found
  }

  /// The scopes of the direct contents of a directory.
  func scopesOfContents(of directory: NodeID, _ moment: Moment) -> Set<Scope> {
    var found = subtrees(with: directory, moment)
    if let uuid = identity(directory, moment), folders.contains(uuid) { found.insert(.folder(UUID(uuid))) }
    return found
  }

  /// The subtrees that a directory is in.
  private func subtrees(with directory: NodeID, _ moment: Moment) -> Set<Scope> {
    var found: Set<Scope> = []
    var next: NodeID? = subtrees.isEmpty ? nil : directory
    while let current = next {
      if let uuid = identity(current, moment), subtrees.contains(uuid) { found.insert(.subtree(UUID(uuid))) }
      next = current == .root ? nil : parent(of: current, moment)
    }
    return found
  }

  func identity(_ id: NodeID, _ moment: Moment) -> UUIDBits? {
    if id == .root { return graph[.root].uuid }
    return moment == .before ? graph.former(id)?.uuid : graph.isLive(id) ? graph[id].uuid : nil
  }

  private func parent(of id: NodeID, _ moment: Moment) -> NodeID? {
    moment == .before ? graph.former(id)?.parent : graph[id].parent
  }
}

extension FileSystemObserver.Scope {
  /// Whether the scope includes more than the direct contents of a directory.
  var isDeep: Bool { if case .subtree = self { true } else { false } }
}

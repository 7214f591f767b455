package import LinuxFileSystem

/// Which names are observed.
package struct ItemFilter: Sendable {
  package var includesHidden: Bool
  package var levels: Int?
  private let names: [GlobPattern]
  private let paths: [GlobPattern]

  package init(includesHidden: Bool = false, levels: Int? = nil, excluded: [GlobPattern] = []) {
    self.includesHidden = includesHidden
    self.levels = levels
    names = excluded.filter { !$0.matchesPaths }
    paths = excluded.filter { $0.matchesPaths }
  }

  /// Whether the path of a directory must be known to tell what is observed in it.
  var needsPaths: Bool { !paths.isEmpty }

  /// Whether what is observed in a directory depends on where that is.
  var dependsOnPlace: Bool { levels != nil || needsPaths }

  /// What of the filter concerns the entries below a directory.
  ///
  /// - Parameters:
  ///   - path: The path of the directory below the root, where `needsPaths`.
  ///   - level: Its level; the root's own entries are on level 0.
  func reach(below path: [UInt8], level: Int) -> FilterReach {
    let concerned = FileName(bytes: path).withView { path in
      paths.indices.filter { unsafe paths[$0].mayMatch(below: path.cString, depth: level + 1) }
    }
    return FilterReach(level: levels == nil && concerned.isEmpty ? nil : level, paths: concerned)
  }

  /// Why a name is not observed; nothing where it is.
  ///
  /// - Parameter directory: The path of its directory below the root, where `needsPaths`.
  func reasonToSkip(_ name: NameView, in directory: [UInt8]) -> FileSystemObserver.SkipReason? {
    // What a save of this library writes beside a document is no item, even where hidden ones are wanted.
    if name.isHidden && (!includesHidden || TemporaryName.isTemporary(name)) { return .hidden }
    if names.contains(where: { unsafe $0.matches(name.cString) }) { return .excluded }
    if !paths.isEmpty, matchesPath(name, in: directory) { return .excluded }
    return nil
  }

  private func matchesPath(_ name: NameView, in directory: [UInt8]) -> Bool {
    var bytes = directory
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "/")) }
    unsafe bytes.append(contentsOf: unsafe name.bytes)
    return FileName(bytes: bytes).withView { path in
      paths.contains { unsafe $0.matches(path.cString) }
    }
  }

  /// Whether entries on this level are observed; the root's own entries are on level 0.
  func includesLevel(_ level: Int) -> Bool {
    levels.map { level <= $0 } ?? true
  }

  /// Whether directories on this level are listed; the root's own entries are on level 0.
  func listsDirectories(onLevel level: Int) -> Bool {
    levels.map { level < $0 } ?? true
  }
}

/// What of a filter concerns the entries below a directory: where that is the same in two places, the same is observed.
struct FilterReach: Equatable, Sendable {
  /// The level of the directory, where that matters.
  var level: Int?
  /// Which patterns may match paths below it.
  var paths: [Int]
}

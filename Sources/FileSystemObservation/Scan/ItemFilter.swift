import LinuxFileSystem

/// Which items are observed.
package struct ItemFilter: Hashable, Sendable {
  package var includesHidden: Bool
  package var levels: Int?
  /// The folders that alone are observed; their patterns begin anew in each.
  let selected: SelectedFolders
  private let excluded: PathPatternList
  private let included: PathPatternList
  private let hasPatterns: Bool
  /// Whether the filter needs the path of a directory to decide about its entries.
  let needsPaths: Bool
  /// Whether the filter needs to know if an item is a directory.
  let needsKinds: Bool

  /// - Parameters:
  ///   - excluded: Items to leave out, with everything below them.
  ///   - included: If not empty, files and symbolic links must match these, or be below a match.
  ///   - selected: If not empty, the folders that are observed; without `levels`.
  package init(
    includesHidden: Bool = false, levels: Int? = nil, excluded: PathPatternList = PathPatternList(),
    included: PathPatternList = PathPatternList(), selected: SelectedFolders = SelectedFolders()
  ) {
    self.selected = selected
    self.includesHidden = includesHidden
    self.levels = levels
    self.excluded = excluded
    self.included = included
    hasPatterns = !(excluded.isEmpty && included.isEmpty)
    // An included name may be that of a directory above.
    needsPaths = excluded.needsPaths || !included.isEmpty || !selected.isEmpty
    needsKinds = excluded.needsKinds || !included.isEmpty || !selected.isEmpty
  }

  /// Whether the observed contents of a directory depend on its place.
  var dependsOnPlace: Bool { levels != nil || needsPaths }

  /// A directory as the filter sees it; its path is used only if `needsPaths`.
  func directory(_ path: [UInt8]) -> FilteredDirectory {
    switch selected.position(of: path) {
    case .inside(let path): FilteredDirectory(path: path, isIncluded: isIncluded(path))
    case .outside(let rests):
      FilteredDirectory(path: path, isIncluded: false, steps: rests.map(SelectedFolders.Step.init))
    }
  }

  private func isIncluded(_ path: [UInt8]) -> Bool { included.isEmpty || included.covers(path.span) }

  /// Why an item is not observed; `nil` if it is.
  ///
  /// - Parameter isDirectory: `nil` if unknown; then an item is skipped only if it would be skipped either way.
  func reasonToSkip(_ name: NameView, isDirectory: Bool?, in directory: FilteredDirectory) -> FileSystemObserver
    .SkipReason?
  {
    if directory.steps != nil { return isDirectory != false && directory.leadsOn(name) ? nil : .excluded }
    // The temporary files of this library's saves are no items, even with hidden items included.
    if name.isHidden && (!includesHidden || TemporaryName.isTemporary(name)) { return .hidden }
    return hasPatterns && isExcluded(name, isDirectory: isDirectory, in: directory) ? .excluded : nil
  }

  /// Not inlined, so that a filter without patterns costs nothing.
  @inline(never)
  private func isExcluded(_ name: NameView, isDirectory: Bool?, in directory: FilteredDirectory) -> Bool {
    if let isDirectory { return skips(name, isDirectory: isDirectory, in: directory) }
    return skips(name, isDirectory: true, in: directory) && skips(name, isDirectory: false, in: directory)
  }

  private func skips(_ name: NameView, isDirectory: Bool, in directory: FilteredDirectory) -> Bool {
    let path = directory.path.span
    if excluded.matches(name.span, in: path, isDirectory: isDirectory) { return true }
    if isDirectory || directory.isIncluded { return false }
    return !included.matches(name.span, in: path, isDirectory: false)
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

// MARK: - Places

extension ItemFilter {
  /// The part of the filter that concerns the entries below a directory.
  ///
  /// - Parameters:
  ///   - path: The path of the directory below the root, if `needsPaths`.
  ///   - level: The level of the directory; the root's own entries are on level 0.
  func reach(below path: [UInt8], level: Int) -> FilterReach {
    switch selected.position(of: path) {
    case .outside(let rests): return FilterReach(isIncluded: false, excluded: [:], included: [:], selected: rests)
    case .inside(let path):
      let isIncluded = isIncluded(path)
      return FilterReach(
        level: levels == nil ? nil : level, isIncluded: isIncluded, excluded: excluded.remainders(below: path.span),
        included: isIncluded ? [:] : included.remainders(below: path.span))
    }
  }
}

// MARK: - Another filter

extension ItemFilter {
  /// Whether another filter would observe other entries of a directory.
  ///
  /// - Parameters:
  ///   - path: The path of the directory below the root.
  ///   - level: The level of the directory; -1 for the root.
  func differs(from other: ItemFilter, in path: [UInt8], level: Int) -> Bool {
    let (lists, listed) = (listsDirectories(onLevel: level), other.listsDirectories(onLevel: level))
    if lists != listed { return true }
    guard lists else { return false }
    switch (selected.position(of: path), other.selected.position(of: path)) {
    case (.inside(let path), .inside(let former)):
      return path != former || includesHidden != other.includesHidden || hasOtherPatterns(than: other, below: path)
    case (let position, let former): return position != former
    }
  }

  private func hasOtherPatterns(than other: ItemFilter, below path: [UInt8]) -> Bool {
    if excluded == other.excluded, included == other.included { return false }
    if excluded.inForce(below: path.span) != other.excluded.inForce(below: path.span) { return true }
    let (isIncluded, wasIncluded) = (isIncluded(path), other.isIncluded(path))
    if isIncluded || wasIncluded { return isIncluded != wasIncluded }
    return included.inForce(below: path.span) != other.included.inForce(below: path.span)
  }
}

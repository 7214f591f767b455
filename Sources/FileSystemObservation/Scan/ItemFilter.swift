import LinuxFileSystem

/// Which items are observed.
package struct ItemFilter: Sendable {
  package var includesHidden: Bool
  package var levels: Int?
  private let excluded: PathPatternList
  private let included: PathPatternList
  private let hasPatterns: Bool
  /// Whether the path of a directory must be known to tell what is observed in it.
  let needsPaths: Bool
  /// Whether it must be known if an item is a directory to tell whether it is observed.
  let needsKinds: Bool

  /// - Parameters:
  ///   - excluded: What is left out, and all that is below it.
  ///   - included: Of files and symbolic links, only what is matched by these, or lies below what is; everything where
  ///     there are none.
  package init(
    includesHidden: Bool = false, levels: Int? = nil, excluded: PathPatternList = PathPatternList(),
    included: PathPatternList = PathPatternList()
  ) {
    self.includesHidden = includesHidden
    self.levels = levels
    self.excluded = excluded
    self.included = included
    hasPatterns = !(excluded.isEmpty && included.isEmpty)
    // A name that is to be included may be that of a directory above.
    needsPaths = excluded.needsPaths || !included.isEmpty
    needsKinds = excluded.needsKinds || !included.isEmpty
  }

  /// Whether what is observed in a directory depends on where that is.
  var dependsOnPlace: Bool { levels != nil || needsPaths }

  /// A directory, as the filter sees it.
  ///
  /// - Parameter path: Its path below the root, where `needsPaths`.
  func directory(_ path: [UInt8]) -> FilteredDirectory {
    FilteredDirectory(path: path, isIncluded: included.isEmpty || included.covers(path.span))
  }

  /// Why an item is not observed; nothing where it is.
  ///
  /// - Parameter isDirectory: Where that is not known, an item is skipped only if it is whatever it turns out to be.
  func reasonToSkip(_ name: NameView, isDirectory: Bool?, in directory: FilteredDirectory) -> FileSystemObserver
    .SkipReason?
  {
    // What a save of this library writes beside a document is no item, even where hidden ones are wanted.
    if name.isHidden && (!includesHidden || TemporaryName.isTemporary(name)) { return .hidden }
    return hasPatterns && isExcluded(name, isDirectory: isDirectory, in: directory) ? .excluded : nil
  }

  /// Kept out of the way of whoever has no patterns.
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
  /// What of the filter concerns the entries below a directory.
  ///
  /// - Parameters:
  ///   - path: The path of the directory below the root, where `needsPaths`.
  ///   - level: Its level; the root's own entries are on level 0.
  func reach(below path: [UInt8], level: Int) -> FilterReach {
    let isIncluded = directory(path).isIncluded
    return FilterReach(
      level: levels == nil ? nil : level, isIncluded: isIncluded, excluded: excluded.remainders(below: path.span),
      included: isIncluded ? [:] : included.remainders(below: path.span))
  }
}

// MARK: - Another filter

extension ItemFilter {
  /// Whether other entries of a directory are observed than with another filter.
  ///
  /// - Parameters:
  ///   - path: The path of the directory below the root.
  ///   - level: Its level; -1 for the root.
  func differs(from other: ItemFilter, in path: [UInt8], level: Int) -> Bool {
    let (lists, listed) = (listsDirectories(onLevel: level), other.listsDirectories(onLevel: level))
    if lists != listed { return true }
    guard lists else { return false }
    return includesHidden != other.includesHidden || hasOtherPatterns(than: other, below: path)
  }

  private func hasOtherPatterns(than other: ItemFilter, below path: [UInt8]) -> Bool {
    if excluded == other.excluded, included == other.included { return false }
    if excluded.inForce(below: path.span) != other.excluded.inForce(below: path.span) { return true }
    let (isIncluded, wasIncluded) = (directory(path).isIncluded, other.directory(path).isIncluded)
    if isIncluded || wasIncluded { return isIncluded != wasIncluded }
    return included.inForce(below: path.span) != other.included.inForce(below: path.span)
  }
}

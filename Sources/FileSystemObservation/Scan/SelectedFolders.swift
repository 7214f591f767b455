/// The folders below the root that alone are observed; if there are none, everything is.
///
/// The folders on the way to them are observed as well, but nothing else in those.
package struct SelectedFolders: Hashable, Sendable {
  /// Their paths below the root, sorted; none is below another.
  let paths: [[UInt8]]

  /// Selects folders by their paths below the root; one that is below another adds nothing.
  package init(_ paths: some Sequence<[UInt8]> = []) {
    var selected: [[UInt8]] = []
    for path in Set(paths).sorted(by: { $0.count < $1.count })
    where !selected.contains(where: { Self.rest(of: path, below: $0) != nil }) {
      selected.append(path)
    }
    // The root itself: everything.
    self.paths = selected.first == [] ? [] : selected.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether everything is observed.
  package var isEmpty: Bool { paths.isEmpty }

  /// Where a directory is.
  enum Position: Equatable, Sendable {
    /// It is a selected folder, or below one; its path below that one.
    case inside([UInt8])
    /// It is outside; the paths of the selected folders below it, from here on.
    case outside([[UInt8]])
  }

  /// Where the directory at a path below the root is.
  func position(of directory: [UInt8]) -> Position {
    if paths.isEmpty { return .inside(directory) }
    for path in paths {
      if let rest = Self.rest(of: directory, below: path) { return .inside(Array(rest)) }
    }
    return .outside(paths.compactMap { Self.rest(of: $0, below: directory).map(Array.init) })
  }

  /// What follows a directory in a path; `nil` if the path is not there or below.
  private static func rest(of path: [UInt8], below directory: [UInt8]) -> ArraySlice<UInt8>? {
    if directory.isEmpty { return path[...] }
    guard path.starts(with: directory) else { return nil }
    if path.count == directory.count { return [] }
    return path[directory.count] == slash ? path[(directory.count + 1)...] : nil
  }

  private static let slash = UInt8(ascii: "/")

  /// A name on the way to selected folders.
  struct Step: Equatable, Sendable {
    var name: [UInt8]
    /// Whether it is the last one.
    var isSelected: Bool

    init(_ path: [UInt8]) {
      name = Array(path.prefix { $0 != slash })
      isSelected = name.count == path.count
    }
  }
}

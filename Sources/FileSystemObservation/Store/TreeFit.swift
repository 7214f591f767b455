/// How a stored tree and the observed directory belong together, the better the greater.
package enum TreeFit: Comparable, Sendable {
  /// The tree is of another directory.
  case none
  /// The tree is of another directory, in whose place this one is.
  case successor
  /// The tree is of this directory.
  case same
}

/// What tests ask of a report of `doctor`.
extension JSONLine {
  var limits: [[String: Any]] { members["limits"] as? [[String: Any]] ?? [] }

  /// Whether the kernel has room for one more observer of this user: observers of other tests may have all that it grants.
  var areLimitsEnough: Bool { limits.allSatisfy { $0["enough"] as? Bool == true } }
}

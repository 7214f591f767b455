import SystemPackage

extension Errno {
  /// Whether a temporary shortage is the reason.
  var isShortage: Bool {
    self == .tooManyOpenFiles || self == .tooManyOpenFilesInSystem || self == .noMemory
  }
}

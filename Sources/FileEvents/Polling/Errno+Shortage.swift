import SystemPackage

extension Errno {
  /// Whether something is missing that may be there again in a moment.
  var isShortage: Bool {
    self == .tooManyOpenFiles || self == .tooManyOpenFilesInSystem || self == .noMemory
  }
}

internal import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

/// What an operation does to the places that it names.
package struct OperationTarget: Sendable {
  /// The path that the item leaves.
  var source: FilePath?
  /// The path of the item afterwards.
  var destination: FilePath?
  /// Whether the operation makes the item, or its new version.
  var isMaking = false
  /// Whether there is an item at the destination already.
  var isReplacing = false
  /// Why items end, if the operation removes them.
  var reason: DeletionReason?

  package init(
    source: FilePath? = nil, destination: FilePath? = nil, isMaking: Bool = false, isReplacing: Bool = false,
    reason: DeletionReason? = nil
  ) {
    (self.source, self.destination) = (source, destination)
    (self.isMaking, self.isReplacing, self.reason) = (isMaking, isReplacing, reason)
  }

  static func making(_ path: FilePath) -> OperationTarget { OperationTarget(destination: path, isMaking: true) }

  static func replacing(_ path: FilePath, reason: DeletionReason? = nil) -> OperationTarget {
    OperationTarget(destination: path, isMaking: true, isReplacing: true, reason: reason)
  }

  static func removing(_ path: FilePath) -> OperationTarget { OperationTarget(source: path, reason: .removed) }

  /// The target, with the folders that are at its paths now.
  ///
  /// An operation goes on in the folders that it has opened, though another may rename them meanwhile.
  package func located() -> LocatedTarget {
    LocatedTarget(
      target: self, sourceFolder: source.flatMap(Self.folder), destinationFolder: destination.flatMap(Self.folder))
  }

  private static func folder(of path: FilePath) -> FileKey? {
    (try? FileStatus.of(path: path.removingLastComponent(), followingLink: true)).map(FileKey.init)
  }
}

/// What an operation does, and the folders in which it does that.
package struct LocatedTarget: Sendable {
  let target: OperationTarget
  let sourceFolder: FileKey?
  let destinationFolder: FileKey?
}

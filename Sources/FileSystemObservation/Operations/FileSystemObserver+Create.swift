internal import LinuxFileSystem
public import SystemPackage

// Operations that make an item. See `FileSystemObserver+Move.swift` for what all operations have in common.

extension FileSystemObserver {
  /// Creates a file, which appears complete and with its UUID in one step.
  ///
  /// Blocks until the disk has everything.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - contents: The contents.
  ///   - naming: What the file is called if there is an item at the path; `nil` to fail then.
  ///   - audience: The listeners to notify.
  /// - Returns: The new file.
  /// - Throws: `fileOperationFailed` with EEXIST if there is an item at the path, or with another reason. After an
  ///   error there is no new file.
  @discardableResult
  public func createFile(
    at path: FilePath, contents: some Collection<UInt8> = EmptyCollection<UInt8>(), naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try atFreePath(path, naming, isFolder: false) { (path) throws(FileSystemObserverError) in
      try operate(on: .making(path), notifying: audience) {
        (operations) throws(FileSystemObserverError) in try operations.createFile(at: path, contents: contents)
      }
    }
  }

  /// Creates a folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - createsIntermediates: Whether missing folders above it are made, too. All appear in one step.
  ///   - naming: What the folder is called if there is an item at the path; `nil` to fail then.
  ///   - audience: The listeners to notify.
  /// - Returns: The folder.
  /// - Throws: `fileOperationFailed` with EEXIST if there is an item at the path, or with another reason. After an
  ///   error there is no new folder.
  @discardableResult
  public func createDirectory(
    at path: FilePath, withIntermediateDirectories createsIntermediates: Bool = false, naming: ItemNaming? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try atFreePath(path, naming, isFolder: true) { (path) throws(FileSystemObserverError) in
      try operate(on: .making(path), notifying: audience) { (operations) throws(FileSystemObserverError) in
        try operations.createFolder(at: path, withIntermediates: createsIntermediates)
      }
    }
  }

  /// Copies a file, a folder with everything below it, or a symbolic link.
  ///
  /// Each copy has a UUID of its own from the start, and everything appears complete, in one step. It is announced as
  /// `duplicated`, each item with its original.
  ///
  /// Contents are shared if the file system can (ioctl_ficlone(2)), otherwise copied in the kernel
  /// (copy_file_range(2)); holes stay holes. Permissions, other extended attributes and access control lists are
  /// carried over, the tag is not; as with cp(1), copies belong to the caller and have new times. In a folder, symbolic
  /// links and hard links among its files stay what they are. Blocks until the disk has everything.
  ///
  /// - Parameters:
  ///   - source: The path of a file, folder or symbolic link.
  ///   - destination: The path of the copy.
  ///   - naming: What the copy is called if there is an item at the path; `nil` to fail then.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying.
  /// - Returns: The copy, with what it lacks.
  /// - Throws: `notAFile` for a FIFO, socket or device; `invalidArgument` for a copy inside the folder itself;
  ///   `cancelled`; `fileOperationFailed` with EEXIST if there is an item at the destination, with EBUSY if a file was
  ///   written during the copy, or with another reason. The error names the item. After an error nothing is left.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, to destination: FilePath, naming: ItemNaming? = nil, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try duplicate(source, to: destination, naming: naming, notifying: audience, control)
  }

  /// Copies a file, a folder with everything below it, or a symbolic link beside itself: the command “Duplicate”.
  ///
  /// ```swift
  /// try await observer.duplicateItem(at: folder.appending("report.odt"))  // makes "report (copy).odt"
  /// ```
  ///
  /// - Parameters:
  ///   - source: The path of a file, folder or symbolic link.
  ///   - naming: What the copy is called.
  ///   - audience: The listeners to notify.
  ///   - control: Follows and cancels the copying.
  /// - Returns: The copy, with what it lacks.
  /// - Throws: The errors of ``duplicateItem(at:to:naming:notifying:control:)``.
  @discardableResult
  public func duplicateItem(
    at source: FilePath, naming: ItemNaming = .copy, notifying audience: Audience = .everyone,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> Operation {
    try duplicate(source, to: nil, naming: naming, notifying: audience, control)
  }

  /// Copies an item, if it is the expected one.
  ///
  /// - Parameter destination: The path of the copy; `nil` for a free one beside the item.
  func duplicate(
    _ source: FilePath, to destination: FilePath?, naming: ItemNaming?, expecting item: ExpectedItem? = nil,
    notifying audience: Audience, _ control: OperationControl
  ) throws(FileSystemObserverError) -> Operation {
    try atFreePath(
      destination ?? source, naming, isFolder: Self.isFolder(source), isTaken: destination == nil
    ) { (destination) throws(FileSystemObserverError) in
      try operate(on: .making(destination), expecting: item, notifying: audience) {
        (operations) throws(FileSystemObserverError) in
        try operations.duplicate(source, to: destination, uuid: item?.uuid ?? knownUUID(source), control: control)
      }
    }
  }
}

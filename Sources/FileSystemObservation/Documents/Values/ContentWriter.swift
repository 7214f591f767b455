internal import LinuxFileSystem
public import SystemPackage

extension FileSystemObserver {
  /// Writes the new contents of a document, piece by piece.
  ///
  /// A writer is valid only in the closure that gets it, on any thread but on one at a time. The document is replaced
  /// when the closure returns; if the closure throws, the document stays as it is.
  public struct ContentWriter: ~Copyable {
    private let file: OwnedDescriptor
    private let task: DocumentTask

    init(_ file: consuming OwnedDescriptor, _ task: DocumentTask) {
      self.file = file
      self.task = task
    }

    /// The file that is written, for calls that need a descriptor.
    ///
    /// It is open for reading and writing, and must not be closed.
    public var fileDescriptor: FileDescriptor { FileDescriptor(rawValue: file.number) }

    /// Appends bytes; blocks until they are written.
    ///
    /// - Throws: `fileOperationFailed` with the reason, for instance ENOSPC.
    public borrowing func write(_ bytes: some Collection<UInt8>) throws(FileSystemObserverError) {
      do throws(Errno) {
        try file.write(bytes)
      } catch {
        throw task.failure(of: .writeContents, error)
      }
    }

    /// Appends bytes; blocks until they are written.
    ///
    /// - Throws: `fileOperationFailed` with the reason, for instance ENOSPC.
    public borrowing func write(_ bytes: RawSpan) throws(FileSystemObserverError) {
      do throws(Errno) {
        try unsafe bytes.withUnsafeBytes { (bytes) throws(Errno) in unsafe try file.write(all: bytes) }
      } catch {
        throw task.failure(of: .writeContents, error)
      }
    }

    /// Gives the file back.
    consuming func close() -> OwnedDescriptor { file }
  }
}

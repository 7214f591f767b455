public import FoundationEssentials
public import SystemPackage

extension FileSystemObserver {
  /// The contents of a document, of one version.
  public struct DocumentContents: Sendable, Hashable {
    /// The bytes.
    public let data: Data
    /// The version that has these bytes; pass it to the save that follows.
    public let version: ContentVersion
    /// The absolute path at which the document was read.
    public let path: FilePath

    /// Makes a value, for apps that mock the observer.
    public init(data: Data, version: ContentVersion, path: FilePath) {
      self.data = data
      self.version = version
      self.path = path
    }
  }
}

import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import SystemPackage
import Testing

/// What operations say of paths that they do not take; the observer need not run.
struct OperationPathTests {
  private let observer = FileSystemObserver(directory: "/nowhere")

  /// Otherwise the file would be wherever the process happens to be.
  @Test(arguments: ["relative.md", "./relative.md", "a/b.md"] as [FilePath])
  func aRelativePathIsRefusedByAllOperations(_ path: FilePath) {
    let operations: [(FileSystemObserver) throws -> Void] = [
      { try $0.createFile(at: path) }, { try $0.createDirectory(at: path) },
      { try $0.createDirectory(at: path, withIntermediateDirectories: true) },
      { try $0.duplicateItem(at: path, to: "/nowhere/a") }, { try $0.moveItem(at: path, to: "/nowhere/a") },
      { try $0.renameItem(at: path, to: "other.md") }, { try $0.removeItem(at: path) }, { try $0.trashItem(at: path) },
      { try $0.replaceContents(of: path, with: []) }, { _ = try $0.version(ofItemAt: path) },
      { try $0.replaceContents(of: path) { _ in } }, { try $0.replaceContents(ofDirectoryAt: path) { _ in } },
    ]
    for operation in operations {
      let error = #expect(throws: FileSystemObserverError.self) { try operation(observer) }
      #expect(error?.code == .invalidArgument && error?.message.contains("give the absolute path") == true, "\(path)")
    }
  }

  @Test func aRelativeDestinationIsRefused() throws {
    let scratch = try ScratchFolder()
    let source = scratch.path.appending("a.md")
    try observer.createFile(at: source)
    for operation in [
      { try $0.moveItem(at: source, to: "b.md") }, { try $0.duplicateItem(at: source, to: "b.md") },
    ] as [(FileSystemObserver) throws -> Void] {
      let error = #expect(throws: FileSystemObserverError.self) { try operation(observer) }
      #expect(error?.code == .invalidArgument && error?.path == "b.md")
    }
  }

  @Test func aNameThatIsTakenIsSaidToBe() throws {
    let scratch = try ScratchFolder()
    let (first, second) = (scratch.path.appending("a.md"), scratch.path.appending("b.md"))
    try observer.createFile(at: first)
    try observer.createFile(at: second)
    let operations: [(FileSystemObserver) throws -> Void] = [
      { try $0.createFile(at: second) }, { try $0.createDirectory(at: second) },
      { try $0.moveItem(at: first, to: second) }, { try $0.renameItem(at: first, to: "b.md") },
      { try $0.duplicateItem(at: first, to: second) },
    ]
    for operation in operations {
      let error = #expect(throws: FileSystemObserverError.self) { try operation(observer) }
      #expect(error?.code == .fileOperationFailed && error?.path == second)
      #expect(error?.message.contains("there is already an item at \(second); nothing was changed") == true)
    }
  }

  @Test func whatSpeaksForAFileIsPrintedInOneOrder() {
    let evidence: Set<FileBookmark.Evidence> = [.place, .handle, .tag, .inode]
    #expect("\(evidence.sorted())" == "[tag, inode, handle, place]")
  }
}

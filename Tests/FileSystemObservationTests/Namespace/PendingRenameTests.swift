import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What left by a rename whose other half is still to come.
struct PendingRenameTests {
  private static func renamed(_ graph: inout FileGraph) -> (PendingRename, file: NodeID, folder: NodeID) {
    let folder = graph.add("d", 2, .directory)
    let file = graph.add("f", 3, in: folder)
    return (PendingRename(.entry(file), from: graph.place(file), in: graph), file, folder)
  }

  @Test func anEntryThatWasSavedIsNotWhatLeft() {
    var graph = FileGraph.empty
    let (rename, file, _) = Self.renamed(&graph)
    #expect(rename.entry(in: graph) == file)
    graph.setIdentity(file, uuid: graph[file].uuid, key: FileKey(device: 1, inode: 9, born: 1))
    #expect(rename.entry(in: graph) == nil)
  }

  @Test func anEntryThatIsGoneIsNotWhatLeft() {
    var graph = FileGraph.empty
    let (rename, file, _) = Self.renamed(&graph)
    graph.remove(file)
    #expect(rename.entry(in: graph) == nil)
  }

  @Test func aFolderThatIsMadeAnewIsNotTheOneThatWasLeft() {
    var graph = FileGraph.empty
    let (rename, _, folder) = Self.renamed(&graph)
    #expect(rename.hasPlace(in: graph))
    graph.setIdentity(folder, uuid: graph[folder].uuid, key: FileKey(device: 1, inode: 9, born: 1))
    #expect(!rename.hasPlace(in: graph))
  }
}

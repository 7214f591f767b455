import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// When tags show that documents were put at each other's places.
struct TagChainTests {
  private func chain(of count: Int, _ end: TagChain.End, hasHead: Bool = false) -> TagChain {
    let members = (1...count).map { NodeID(rawValue: UInt32($0)) }
    let head = hasHead ? Place(parent: .root, name: FileName("new")) : nil
    return TagChain(members: members, head: head, end: end)
  }

  @Test func documentsThatHaveEachOthersTags() {
    #expect(chain(of: 2, .first).isProof)
    #expect(chain(of: 3, .first).isProof)
    #expect(!chain(of: 1, .first).isProof)
  }

  /// A copy was put over another document, or beside it, and the document was saved without its tag.
  @Test func aSavedDocumentAndACopyOfIt() {
    #expect(!chain(of: 2, .untagged).isProof)
    #expect(!chain(of: 1, .untagged, hasHead: true).isProof)
    #expect(chain(of: 3, .untagged).isProof)
    #expect(chain(of: 2, .untagged, hasHead: true).isProof)
  }

  /// The last file has a tag that is not its document's, so that it is no version of that one.
  @Test func aDocumentWhoseFileHasAnUnknownTag() {
    let tag = UUIDBits(high: 1, low: 2)
    #expect(chain(of: 2, .unknown(tag)).isProof)
    #expect(chain(of: 1, .unknown(tag), hasHead: true).isProof)
    #expect(!chain(of: 1, .unknown(tag)).isProof)
  }

  /// The usual case has rules of its own: a document that is gone continues in the file with its tag.
  @Test func aDocumentThatIsGone() {
    let owner = NodeID(rawValue: 9)
    #expect(!chain(of: 1, .gone(owner)).isProof)
    #expect(chain(of: 2, .gone(owner)).isProof)
    #expect(chain(of: 1, .gone(owner), hasHead: true).isProof)
  }
}

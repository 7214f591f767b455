#if Store
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// The digests are those that `sha256sum` prints.
struct SHA256DigestsTests {
  private func digest(_ parts: [String]) throws -> String {
    let running = try #require(SHA256Digests().begin())
    for part in parts {
      let bytes = Array(part.utf8)
      #expect(unsafe bytes.withUnsafeBytes { unsafe running.append($0) })
    }
    return try #require(running.finish()).bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
      .joined()
  }

  @Test func knownDigests() throws {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(try digest([]) == empty && digest([""]) == empty)
    #expect(try digest(["abc"]) == abc && digest(["a", "b", "", "c"]) == abc)
  }
}
#endif

import FileIdentity
import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct UnseenSaveFinderTests {
  /// Whether a name is another, and goes on to an extension.
  private func isExtended(_ name: FileName, _ longer: FileName) -> Bool {
    let tail = longer.bytes.dropFirst(name.bytes.count)
    let parts = tail.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && parts.last?.allSatisfy(\.isOfWord) == true
  }

  /// Backups are found by their names in a table; compared one by one, the names say the same.
  @Test func theDocumentsOfABackupAreThoseOfWhichItIsOne() {
    var random = SplitMix64(seed: 1)
    let parts = ["report", "a", ".txt", ".", "~", ".bak", "#", ".~1~", ".old", ".2024", "_original", "1"]
    let rules = NameRules()
    var patterns = FileSystemObserver.NamePatterns()
    patterns.includesContinuedNames = false
    let strict = NameRules(patterns)
    for _ in 0..<200 {
      let names = (0..<12).map { _ in
        let count = Int.random(in: 1...4, using: &random)
        return FileName((0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined())
      }
      let documents = DocumentNames(names.enumerated().map { ($0.offset, $0.element) })
      for name in names {
        let backed = names.indices.filter { strict.isBackup(name, of: names[$0]) }
        let named = rules.documents(ofBackup: name, in: documents)
          .union(rules.documents(withStemOfBackup: name, in: documents))
        #expect(named == Set(backed), "\(name) of \(names)")
        let continued = names.indices.filter { rules.isBackup(name, of: names[$0]) && !isExtended(names[$0], name) }
        let found = rules.documents(continuedBy: name, in: documents)
        #expect(found.union(backed) == Set(continued).union(backed), "\(name) of \(names)")
      }
    }
  }
}

import Testing

@testable import FileSystemObservation

struct RecentTableTests {
  @Test func whatIsOverIsForgottenWhenThereIsMuch() {
    var table = RecentTable<Int, Int>()
    for number in 0..<10_000 { table.set(number, for: number) { $0 > number - 10 } }
    #expect(table.count < 600 && table[9_999] == 9_999)
  }
}

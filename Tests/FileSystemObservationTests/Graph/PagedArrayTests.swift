import Testing

@testable import FileSystemObservation

/// An array in pages of 512 elements.
struct PagedArrayTests {
  private static func array(_ count: Int) -> PagedArray<Int> {
    var array = PagedArray<Int>()
    for number in 0..<count { array.append(number) }
    return array
  }

  @Test(arguments: [0, 1, 511, 512, 513, 2_000]) func elementsAreFoundByTheirIndices(_ count: Int) {
    let array = Self.array(count)
    #expect(array.count == count && (0..<count).allSatisfy { array[$0] == $0 })
  }

  @Test func aCopyKeepsWhatItHad() {
    var array = Self.array(600)
    let copy = array
    for index in [0, 511, 512, 599] { array[index] = -1 }
    array.append(600)
    #expect(copy.count == 600 && (0..<600).allSatisfy { copy[$0] == $0 })
    #expect([0, 511, 512, 599].allSatisfy { array[$0] == -1 } && array[1] == 1 && array[600] == 600)
  }
}

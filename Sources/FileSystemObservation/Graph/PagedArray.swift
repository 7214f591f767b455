/// An array in pages, which grows without moving its elements.
///
/// A copy shares every page that neither side changes. So a snapshot of the graph costs one reference a page, and later
/// changes copy only the pages they touch.
struct PagedArray<Element: Sendable>: Sendable {
  private static var pageSize: Int { 512 }

  private var pages: [ContiguousArray<Element>] = []
  private(set) var count = 0
  /// The elements that have changed since the marks were taken; `nil` while nobody asks for them.
  private var marks: ChangeMarks?

  subscript(index: Int) -> Element {
    get { pages[index >> 9][index & 511] }
    _modify {
      marks?.insert(index)
      yield &pages[index >> 9][index & 511]
    }
  }

  mutating func append(_ element: Element) {
    marks?.insert(count)
    if count & 511 == 0 {
      var page = ContiguousArray<Element>()
      page.reserveCapacity(Self.pageSize)
      pages.append(page)
    }
    pages[count >> 9].append(element)
    count += 1
  }
}

// MARK: - Changed elements

extension PagedArray {
  /// The marks since they were last taken; empty if there are none.
  var changed: ChangeMarks { marks ?? ChangeMarks() }

  /// Takes the marks of all changed elements, and begins anew; `nil` at the first call, before which nothing was marked.
  mutating func takeChanged() -> ChangeMarks? {
    defer { marks = ChangeMarks(count: count) }
    return marks
  }

  /// Marks further elements as changed.
  mutating func mark(_ changed: ChangeMarks) { marks?.formUnion(changed) }
}

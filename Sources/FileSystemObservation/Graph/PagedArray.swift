/// An array in pages, which grows without moving its elements.
///
/// A copy shares every page that neither side changes. So a snapshot of the graph costs one reference a page, and later
/// changes copy only the pages they touch.
struct PagedArray<Element: Sendable>: Sendable {
  private static var pageSize: Int { 512 }

  private var pages: [ContiguousArray<Element>] = []
  private(set) var count = 0

  subscript(index: Int) -> Element {
    get { pages[index >> 9][index & 511] }
    _modify { yield &pages[index >> 9][index & 511] }
  }

  mutating func append(_ element: Element) {
    if count & 511 == 0 {
      var page = ContiguousArray<Element>()
      page.reserveCapacity(Self.pageSize)
      pages.append(page)
    }
    pages[count >> 9].append(element)
    count += 1
  }
}

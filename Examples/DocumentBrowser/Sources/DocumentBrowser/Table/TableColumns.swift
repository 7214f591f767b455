import BrowserModel
import CAdwaita
import FileSystemObservation
import SystemPackage

/// The columns of the table, and the order that their headers choose.
final class TableColumns {
  /// Called when a person clicks on a header.
  var onSort: ((SortOrder) -> Void)?

  private let view: OpaquePointer
  private var columns: [SortOrder.Property: OpaquePointer] = [:]
  private var state: OpaquePointer?
  private var connection: Connection?
  private let probe = SortProbe()

  /// Adds the columns to a `GtkColumnView`.
  init(
    _ view: OpaquePointer, bound: BoundCells, copies: CopyWatch,
    draw: @escaping (any DocumentCell, FileSystemItem) -> Void
  ) {
    self.view = view
    let thumbnails = Thumbnails()
    func add(
      _ title: String, width: Int32, by property: SortOrder.Property? = nil, _ make: @escaping () -> any DocumentCell
    ) -> OpaquePointer {
      let column: OpaquePointer = gtk_column_view_column_new(
        title, CellFactory(make, bound: bound, draw: draw).pointer)
      gtk_column_view_column_set_resizable(column, 1)
      if width > 0 { gtk_column_view_column_set_fixed_width(column, width) }
      gtk_column_view_column_set_expand(column, width == 0 ? 1 : 0)
      if let property { addSorter(column, property) }
      gtk_column_view_append_column(view, column)
      g_object_unref(column.raw)
      return column
    }
    _ = add("Name", width: 0, by: .name) { [weak self] in NameCell(thumbnails) { self?.place(of: $0) ?? "" } }
    _ = add("Kind", width: 128, by: .kind) { TextCell { DocumentKind.of($0).title } }
    _ = add("Size", width: 84, by: .size) { TextCell(alignment: 1) { Wording.size(of: $0) } }
    _ = add("Modified", width: 134, by: .modified) { TextCell { Wording.moment($0.modificationDate) } }
    state = add("State", width: 100) { StateCell(copies) }
    connection = gtk_column_view_get_sorter(view)?.object.on("changed") { [weak self] _ in self?.noteOrder() }
  }

  /// Whether there is no room for what matters least.
  var isNarrow = false {
    didSet {
      for column in [columns[.kind], state] {
        if let column { gtk_column_view_column_set_visible(column, isNarrow ? 0 : 1) }
      }
    }
  }

  /// The list with the documents of several folders, in which each says where it is; `nil` if a folder is shown alone.
  weak var deepList: FileSystemItemList?

  /// Has the headers show an order that was chosen elsewhere; labels have no column.
  func show(_ order: SortOrder) {
    let column = columns[order.property]
    gtk_column_view_get_sorter(view)?.object.blocking(connection) {
      gtk_column_view_sort_by_column(view, column, order.isReversed ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING)
    }
  }

  /// The folder of a document, below the one that is shown.
  private func place(of item: FileSystemItem.Snapshot) -> String {
    guard let deepList else { return "" }
    var place = item.relativePath.removingLastComponent()
    if let folder = deepList.folder { _ = place.removePrefix(folder.relativePath) }
    return place.string
  }

  private func addSorter(_ column: OpaquePointer, _ property: SortOrder.Property) {
    columns[property] = column
    let sorter = probe.makeSorter(property)
    gtk_column_view_column_set_sorter(column, sorter.pointer.cast())
  }

  private func noteOrder() {
    guard let sorter = gtk_column_view_get_sorter(view), let order = probe.order(of: sorter, in: view) else { return }
    onSort?(order)
  }
}

/// Finds out which header a person has chosen, which GTK tells from version 4.10 on.
///
/// The list sorts itself, so the sorters of the columns have nothing to compare. They only note that they were asked:
/// first the one of the chosen column. What it answers comes back reversed if its order is.
private final class SortProbe {
  private var asked: SortOrder.Property?

  func makeSorter(_ property: SortOrder.Property) -> Reference {
    let clause = Unmanaged.passRetained(SortClause { [weak self] in self?.note(property) }).toOpaque()
    let sorter: OpaquePointer = gtk_custom_sorter_new(
      { _, _, clause in
        guard let clause else { return 0 }
        nonisolated(unsafe) let pointer = clause
        MainActor.assumeIsolated { Unmanaged<SortClause>.fromOpaque(pointer).takeUnretainedValue().note() }
        return -1
      }, clause, { clause in if let clause { Unmanaged<SortClause>.fromOpaque(clause).release() } })
    return Reference(taking: sorter)
  }

  /// The order of a sorter of a `GtkColumnView`; `nil` if it has none.
  func order(of sorter: UnsafeMutablePointer<GtkSorter>, in view: OpaquePointer) -> SortOrder? {
    asked = nil
    // Any two objects: nothing looks at them.
    let answer = gtk_sorter_compare(sorter, view.raw, sorter.opaque.raw)
    return asked.map { SortOrder(by: $0, isReversed: answer == GTK_ORDERING_LARGER) }
  }

  private func note(_ property: SortOrder.Property) {
    if asked == nil { asked = property }
  }
}

/// What the sorter of one column does when it is asked.
private final class SortClause {
  let note: () -> Void

  init(_ note: @escaping () -> Void) {
    self.note = note
  }
}

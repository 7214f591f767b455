import BrowserModel
import CAdwaita
import FileSystemObservation
import GtkListModel

/// A cell of the table: a widget that shows one property of whichever document it is bound to.
protocol DocumentCell: AnyObject {
  /// The widget.
  var widget: Widget { get }

  /// Shows a document.
  func draw(_ item: FileSystemItem.Snapshot, _ annotation: Annotation)
}

/// Which cells show which document now: some dozens, of however many rows.
final class BoundCells {
  private var cells: [FileSystemItem.ID: [ObjectIdentifier: any DocumentCell]] = [:]

  /// The documents that are shown.
  var ids: some Collection<FileSystemItem.ID> { cells.keys }

  func add(_ cell: any DocumentCell, for id: FileSystemItem.ID) {
    cells[id, default: [:]][ObjectIdentifier(cell)] = cell
  }

  func remove(_ cell: any DocumentCell, for id: FileSystemItem.ID) {
    cells[id]?[ObjectIdentifier(cell)] = nil
    if cells[id]?.isEmpty == true { cells[id] = nil }
  }

  /// The cells of a document.
  subscript(id: FileSystemItem.ID) -> some Collection<any DocumentCell> { (cells[id] ?? [:]).values }
}

/// Makes the cells of a column, and has them show what GTK binds them to.
final class CellFactory {
  /// The `GtkListItemFactory`.
  let pointer: OpaquePointer
  private let key = Attachment<CellBox>("document-cell")

  /// Makes a factory.
  ///
  /// - Parameters:
  ///   - make: Makes a cell. GTK uses each again and again.
  ///   - bound: Where the cells are registered that show a document.
  ///   - draw: Has a cell show a document.
  init(
    _ make: @escaping () -> any DocumentCell, bound: BoundCells,
    draw: @escaping (any DocumentCell, FileSystemItem) -> Void
  ) {
    pointer = gtk_signal_list_item_factory_new()
    pointer.on("setup") { [key] arguments in
      guard let listItem = arguments.object(1) else { return }
      let cell = make()
      key[listItem] = CellBox(cell)
      gtk_list_item_set_child(listItem, cell.widget)
    }
    pointer.on("bind") { [key] arguments in
      guard let listItem = arguments.object(1), let cell = key[listItem]?.cell,
        let item = FileListModel.item(of: gtk_list_item_get_item(listItem))
      else { return }
      bound.add(cell, for: item.id)
      draw(cell, item)
    }
    pointer.on("unbind") { [key] arguments in
      guard let listItem = arguments.object(1), let cell = key[listItem]?.cell,
        let item = FileListModel.item(of: gtk_list_item_get_item(listItem))
      else { return }
      bound.remove(cell, for: item.id)
    }
    pointer.on("teardown") { [key] arguments in
      if let listItem = arguments.object(1) { key[listItem] = nil }
    }
  }
}

/// A cell as it is attached to an object of GTK.
private final class CellBox {
  let cell: any DocumentCell

  init(_ cell: any DocumentCell) {
    self.cell = cell
  }
}

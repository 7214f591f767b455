import BrowserModel
import CAdwaita
import FileSystemObservation
import FoundationEssentials
import GtkListModel

/// The table of documents.
final class DocumentTable {
  /// The `GtkColumnView`.
  let view: Widget
  let columns: TableColumns
  /// Called when other documents are selected, or the selected ones have changed.
  var onSelect: (() -> Void)?
  /// Called when a person opens a document.
  var onOpen: ((FileSystemItem.Snapshot) -> Void)?
  /// Called when there are more or fewer rows.
  var onCount: ((FileSystemItemList.Changes?) -> Void)?

  private let annotations: Annotations
  private let bound = BoundCells()
  private let copies = CopyWatch()
  private let rowKey: Attachment<FileSystemItem>
  private var model: FileListModel?
  private var selection: Reference?

  init(_ annotations: Annotations) {
    self.annotations = annotations
    view = gtk_column_view_new(nil)
    view.setClass("documents")
    view.setAccessible(name: "Documents")
    let rowKey = Attachment<FileSystemItem>("document-of-row")
    self.rowKey = rowKey
    columns = TableColumns(view.opaque, bound: bound, copies: copies) { cell, item in
      DocumentTable.draw(cell, item, annotations[item.uuid], rowKey)
    }
    copies.onForget = { [weak self] in self?.redraw([$0]) }
    view.on("activate") { [weak self] arguments in
      guard let self, let list = model?.list, list.indices.contains(arguments.int(1)) else { return }
      onOpen?(list.snapshot(at: arguments.int(1)))
    }
  }

  /// The list that is shown.
  var list: FileSystemItemList? { model?.list }

  /// Shows a list, or nothing.
  func show(_ list: FileSystemItemList?) {
    gtk_column_view_set_model(view.opaque, nil)
    model = list.map { FileListModel($0) }
    guard let model else {
      selection = nil
      return
    }
    let selection = Reference(
      taking: gtk_multi_selection_new(g_object_ref(model.pointer.raw).map { OpaquePointer($0) }))
    self.selection = selection
    model.selection = selection.pointer
    model.onModify = { [weak self] item in self?.redraw(item) }
    model.onChange = { [weak self] changes in
      self?.onSelect?()
      self?.onCount?(changes)
    }
    selection.pointer.on("selection-changed") { [weak self] _ in
      if self?.model?.isUpdating == false { self?.onSelect?() }
    }
    gtk_column_view_set_model(view.opaque, selection.pointer)
    onSelect?()
    onCount?(nil)
  }

  /// Takes what was shown over the table away; call it before the window is gone.
  func removePopovers() {
    for child in view.children where g_type_check_instance_is_a(child.cast(), gtk_popover_get_type()) != 0 {
      gtk_widget_unparent(child)
    }
  }

  // MARK: - Drawing

  /// Draws the rows of documents again.
  func redraw(_ uuids: Set<UUID>) {
    guard let list else { return }
    for id in bound.ids where uuids.contains(id.uuid) { list.index(of: id).map { redraw(list[$0]) } }
  }

  private func redraw(_ item: FileSystemItem) {
    for cell in bound[item.id] { Self.draw(cell, item, annotations[item.uuid], rowKey) }
  }

  private static func draw(
    _ cell: any DocumentCell, _ item: FileSystemItem, _ annotation: Annotation, _ rowKey: Attachment<FileSystemItem>
  ) {
    let snapshot = item.snapshot
    cell.draw(snapshot, annotation)
    // GTK gives each cell a widget of its own, and these are in that of the row.
    guard cell is NameCell, let row = cell.widget.parent?.parent else { return }
    rowKey[row.opaque] = item
    row.setAccessible(name: snapshot.name)
    row.setAccessible(description: Wording.description(of: snapshot, annotation))
  }

  // MARK: - Places

  /// The document whose row is at a point of the view, and the widget of the row.
  func row(atX x: Double, y: Double) -> (item: FileSystemItem, widget: Widget)? {
    var widget: Widget? = gtk_widget_pick(view, x, y, GTK_PICK_DEFAULT)
    while let candidate = widget, candidate != view {
      if let item = rowKey[candidate.opaque], list?.index(of: item.id) != nil { return (item, candidate) }
      widget = candidate.parent
    }
    return nil
  }

  /// The widget of the row of a document; `nil` if it is not in sight.
  func widget(of id: FileSystemItem.ID) -> Widget? {
    bound[id].first { $0 is NameCell }?.widget
  }
}

// MARK: - Selection

extension DocumentTable {
  /// The indices of the selected rows.
  private var selectedIndices: [Int] {
    guard let selection, let selected = gtk_selection_model_get_selection(selection.pointer) else { return [] }
    defer { gtk_bitset_unref(selected) }
    return (0..<gtk_bitset_get_size(selected)).map { Int(gtk_bitset_get_nth(selected, guint($0))) }
  }

  /// How many documents are selected.
  var selectedCount: Int {
    guard let selection, let selected = gtk_selection_model_get_selection(selection.pointer) else { return 0 }
    defer { gtk_bitset_unref(selected) }
    return Int(gtk_bitset_get_size(selected))
  }

  /// The selected documents, in the order of their rows.
  var selected: [FileSystemItem.Snapshot] {
    guard let list else { return [] }
    return selectedIndices.filter { $0 < list.count }.map { list.snapshot(at: $0) }
  }

  /// Selects a document alone, and shows its row; whether it has one.
  @discardableResult
  func select(_ uuid: UUID) -> Bool {
    guard let selection, let index = list?.index(of: uuid) else { return false }
    select(index, in: selection)
    return true
  }

  /// Selects the row at the place of one that is gone.
  func select(near index: Int) {
    guard let selection, let list, !list.isEmpty else { return }
    select(min(index, list.count - 1), in: selection)
  }

  /// The place of the first of some documents.
  func firstIndex(of items: [FileSystemItem.Snapshot]) -> Int? {
    guard let list else { return nil }
    return items.compactMap { list.index(of: $0.id) }.min()
  }

  private func select(_ index: Int, in selection: Reference) {
    gtk_selection_model_select_item(selection.pointer, guint(index), 1)
    scroll(to: index)
    if let list { focus(list.snapshot(at: index).id) }
  }

  /// Selects a row, unless it is selected with others; for a menu that is about all that are selected.
  func selectForMenu(_ id: FileSystemItem.ID) {
    guard let selection, let index = list?.index(of: id) else { return }
    if gtk_selection_model_is_selected(selection.pointer, guint(index)) == 0 {
      gtk_selection_model_select_item(selection.pointer, guint(index), 1)
    }
  }

  private func scroll(to index: Int) {
    // The list in the view has the action, and the view has its header and the list.
    let target = view.children.last ?? view
    gtk_widget_activate_action_variant(target, "list.scroll-to-item", g_variant_new_uint32(guint32(index)))
  }

  /// Has the keys begin at a row, if they go to the table.
  private func focus(_ id: FileSystemItem.ID) {
    guard gtk_widget_get_focus_child(view) != nil || gtk_widget_has_focus(view) != 0 else { return }
    if let row = bound[id].first(where: { $0 is NameCell })?.widget.parent?.parent { gtk_widget_grab_focus(row) }
  }
}

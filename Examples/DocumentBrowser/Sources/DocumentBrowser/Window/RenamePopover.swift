import CAdwaita
import FileSystemObservation
import FoundationEssentials

/// Renames a document where its name is.
final class RenamePopover {
  private unowned let window: BrowserWindow
  private let popover: Widget = gtk_popover_new()
  private let entry: Widget = gtk_entry_new()
  private let button: Widget = gtk_button_new_with_label("Rename")
  private let problem = makeLabel(ellipsis: PANGO_ELLIPSIZE_NONE, classes: "error", "caption")
  private var document: UUID?

  init(_ window: BrowserWindow) {
    self.window = window
    button.setClass("suggested-action")
    entry.setAccessible(name: "New name")
    gtk_editable_set_width_chars(entry.opaque, 30)
    let box = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 6, makeBox(spacing: 6, entry, button), problem)
    for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom, gtk_widget_set_margin_start] { set(box, 3) }
    gtk_popover_set_child(popover.cast(), box)
    gtk_widget_set_parent(popover, window.table.view)
    entry.on("changed") { [weak self] _ in self?.check() }
    entry.on("activate") { [weak self] _ in self?.finish() }
    button.on("clicked") { [weak self] _ in self?.finish() }
    popover.on("closed") { [weak self] _ in gtk_widget_grab_focus(self?.window.table.view) }
  }

  /// Shows the name of a document for editing.
  func begin(_ item: FileSystemItem.Snapshot) {
    document = item.uuid
    entry.set("text", item.name)
    place(at: item.id)
    check()
    gtk_popover_popup(popover.cast())
    gtk_widget_grab_focus(entry)
    let stem = item.kind == .directory ? item.name : item.path.stem ?? item.name
    gtk_editable_select_region(entry.opaque, 0, gint(stem.unicodeScalars.count))
  }

  private func place(at id: FileSystemItem.ID) {
    let view = window.table.view
    var area = GdkRectangle(x: gtk_widget_get_width(view) / 2, y: 48, width: 1, height: 1)
    var bounds = graphene_rect_t()
    if let widget = window.table.widget(of: id), gtk_widget_compute_bounds(widget, view, &bounds) != 0 {
      area = GdkRectangle(
        x: Int32(bounds.origin.x), y: Int32(bounds.origin.y), width: min(Int32(bounds.size.width), 240),
        height: Int32(bounds.size.height))
    }
    gtk_popover_set_pointing_to(popover.cast(), &area)
  }

  private func check() {
    let text = problemText
    button.isSensitive = text == nil
    problem.setText(text ?? "")
    problem.isVisible = text?.isEmpty == false
  }

  /// Why the name cannot be taken; `nil` if it can.
  private var problemText: String? {
    let name = entry.object.text("text")
    if let problem = FileName.problem(of: name) { return problem }
    guard let session = window.session, let item = document.flatMap({ session.observer[$0] }) else { return "" }
    if name == item.name { return "" }
    let place = item.path.removingLastComponent().appending(name)
    return session.observer[place] == nil ? nil : "Another item has this name."
  }

  private func finish() {
    guard problemText == nil, let item = document.flatMap({ window.session?.observer[$0] }) else { return }
    gtk_popover_popdown(popover.cast())
    window.operations.rename(item, to: entry.object.text("text"))
  }
}

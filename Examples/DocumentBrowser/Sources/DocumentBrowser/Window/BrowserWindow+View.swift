import BrowserModel
import CAdwaita
import FileSystemObservation
import FoundationEssentials
import SystemPackage

// What of the open folder is shown.

extension BrowserWindow {
  /// Makes the list anew, because another folder or view was chosen.
  func showList() {
    guard let session else { return }
    let isDeep = state.preferences.showsSubfolders
    let list = session.list(of: place, isDeep: isDeep, query, state.preferences.order)
    table.columns.deepList = isDeep ? list : nil
    table.show(list)
    table.columns.show(state.preferences.order)
    showCount()
  }

  /// Shows a folder in the open one; `nil` for the open one itself.
  func go(to folder: UUID?) {
    place = folder
    showList()
  }

  /// Shows the folder above.
  func goUp() {
    guard let session, let place, let parent = session.observer[place]?.parent else { return }
    go(to: parent == session.folder.uuid || session.observer[parent]?.relativePath.isEmpty != false ? nil : parent)
    table.select(place)
  }

  /// Changes which documents are shown.
  func limit(_ change: (inout DocumentQuery) -> Void) {
    var next = query
    change(&next)
    guard next != query else { return }
    query = next
    table.list?.filter = query.filter(state.annotations)
    table.list?.update()
    showCount()
  }

  /// Shows a document and selects it, in whichever folder it is.
  func reveal(_ uuid: UUID) {
    if table.select(uuid) { return }
    guard let item = session?.observer[uuid] else { return toasts.show("The document is not in this folder any more") }
    filters.chooseAll()
    limit { $0 = DocumentQuery() }
    if table.select(uuid) { return }
    if let parent = item.parent { go(to: parent == session?.folder.uuid ? nil : parent) }
    table.select(uuid)
  }

  func noteAnnotations(_ uuids: Set<UUID>) {
    // They are drawn again, and may have other places now.
    table.list?.reloadItems(with: uuids)
    table.list?.update()
    details.noteAnnotations(uuids)
  }

  func noteSelection() {
    let count = table.selectedCount
    details.show(count <= FileOperations.limit ? table.selected : [], count: count, session)
    for action in ["open", "rename", "copy-path", "show-in-folder", "note"] { actions.enable(action, count == 1) }
    for action in ["duplicate", "trash", "favourite", "label"] { actions.enable(action, count > 0) }
  }

  /// The title of the window, and which page is shown.
  func showCount() {
    guard let session else { return }
    let folder = table.list?.folder
    let isRoot = place == nil
    let name = (isRoot ? session.path : folder?.path ?? session.path).lastComponent?.string ?? "/"
    let count = table.list?.count ?? 0
    let title = layout.object("title")
    adw_window_title_set_title(title, name)
    adw_window_title_set_subtitle(
      title, query.isLimiting ? "\(Wording.count(count, "item")) found" : Wording.count(count, "item"))
    gtk_window_set_title(widget.cast(), name)
    actions.enable("go-up", !isRoot)
    if table.list == nil { return }
    if count > 0 {
      showPage("table")
    } else if scan.isRunning {
      showPage("scanning")
    } else {
      showPage(query.isLimiting ? "nothing-found" : "empty")
    }
  }

  func showPage(_ name: String) {
    gtk_stack_set_visible_child_name(layout.object("pages"), name)
    // A spinner on a page that is not shown has frames drawn all the same.
    layout.object("scan-spinner").object.set("spinning", name == "scanning")
  }
}

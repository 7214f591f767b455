import BrowserModel
import CAdwaita
import FileSystemObservation
import SystemPackage

import struct FoundationEssentials.UUID

// The actions of the window, by the names that menus, buttons, keys and tests use.

extension BrowserWindow {
  func addActions() {
    addDocumentActions()
    addNoteActions()
    addViewActions()
    actions.enable("undo", false)
    actions.enable("go-up", false)
    let shortcuts = Layout(PackageResources.shortcuts_ui)
    gtk_application_window_set_help_overlay(widget.cast(), shortcuts.object("shortcuts"))
  }

  private func addDocumentActions() {
    actions.add("open") { [weak self] in self?.table.selected.first.map { self?.open($0) } }
    actions.add("show-in-folder") { [weak self] in self?.showInFolder() }
    actions.add("rename") { [weak self] in self?.table.selected.first.map { self?.rename.begin($0) } }
    actions.add("duplicate") { [weak self] in self.map { $0.operations.duplicate($0.table.selected) } }
    actions.add("trash") { [weak self] in self.map { $0.operations.trash($0.table.selected) } }
    actions.add("copy-path") { [weak self] in self?.copyPath() }
    actions.add("undo") { [weak self] in self?.undoLast() }
    actions.add("open-folder") { [weak self] in self?.chooseFolder() }
    actions.add("new-folder") { [weak self] in self?.makeFolder() }
  }

  private func addNoteActions() {
    actions.add("favourite") { [weak self] in self?.details.toggleFavourite() }
    actions.add("label", withText: { [weak self] in self?.details.setLabel(ColourLabel(rawValue: $0)) })
    actions.add("note") { [weak self] in
      self?.showDetails(page: "details")
      self?.details.focusNote()
    }
  }

  private func addViewActions() {
    let preferences = state.preferences
    actions.add("go-up") { [weak self] in self?.goUp() }
    actions.add("search") { [weak self] in self?.beginSearch() }
    actions.add("show-all") { [weak self] in self?.showAll() }
    actions.add("show-details") { [weak self] in self?.toggleDetails() }
    actions.add("show-activity") { [weak self] in self?.showActivity() }
    actions.add("show-subfolders", isOn: preferences.showsSubfolders) { [weak self] isOn in
      self?.state.preferences.showsSubfolders = isOn
      self?.keepingSelection { self?.showList() }
    }
    actions.add("sort", choice: preferences.order.property.rawValue) { [weak self] name in
      guard let self, let property = SortOrder.Property(rawValue: name) else { return }
      sort(SortOrder(by: property, isReversed: state.preferences.order.isReversed))
    }
    actions.add("sort-reversed", isOn: preferences.order.isReversed) { [weak self] isReversed in
      guard let self else { return }
      sort(SortOrder(by: state.preferences.order.property, isReversed: isReversed))
    }
  }

  /// Sorts the table, whether a menu or a header has chosen the order.
  func sort(_ order: SortOrder) {
    guard order != state.preferences.order else { return }
    state.preferences.order = order
    actions.setState("sort", order.property.rawValue)
    actions.setState("sort-reversed", order.isReversed)
    table.columns.show(order)
    table.list?.order = order.order(state.annotations)
    table.list?.update()
  }

  private func keepingSelection(_ body: () -> Void) {
    let selected = table.selectedCount == 1 ? table.selected.first : nil
    body()
    if let selected { table.select(selected.uuid) }
  }
}

// MARK: - Documents

extension BrowserWindow {
  /// Opens a document with the program for it, or shows a folder.
  func open(_ item: FileSystemItem.Snapshot) {
    if item.kind == .directory { return go(to: item.uuid) }
    let file = Reference(taking: g_file_new_for_path(item.path.string))
    let uri = taken(g_file_get_uri(file.pointer)) ?? ""
    let context = gdk_display_get_app_launch_context(gtk_widget_get_display(widget))
    let name = item.name
    AsyncCall.begin { callback, data in
      g_app_info_launch_default_for_uri_async(uri, context?.cast(), nil, callback, data)
    } finish: { [weak self] result in
      if let message = AsyncCall.failure({ g_app_info_launch_default_for_uri_finish(result, $0) }) {
        self?.toasts.show("“\(name)” cannot be opened: \(message)")
      }
    }
    if let context { g_object_unref(context.raw) }
  }

  private func showInFolder() {
    guard let item = table.selected.first, let parent = item.parent else { return }
    state.preferences.showsSubfolders = false
    actions.setState("show-subfolders", false)
    go(to: parent == session?.folder.uuid ? nil : parent)
    table.select(item.uuid)
  }

  private func copyPath() {
    guard let item = table.selected.first else { return }
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), item.path.string)
    toasts.show("Path copied")
  }

  private func undoLast() {
    Task {
      do {
        if let title = try await undo.undo() { toasts.show("Undone: \(title)") }
      } catch {
        toasts.show(error)
      }
    }
  }

  private func makeFolder() {
    guard let session else { return }
    let folder = table.list?.folder?.path ?? session.path
    NameDialog.ask("New Folder", accept: "Create", over: widget) { [weak self] name in
      self?.operations.makeFolder(named: name, in: folder)
    }
  }

  private func chooseFolder() {
    FolderChooser.choose(over: widget, startingAt: session?.path) { [weak self] in self?.open($0) }
  }
}

import BrowserModel
import CAdwaita
import FileSystemObservation

// The panes at the sides, and the search.

extension BrowserWindow {
  func connectPanes() {
    bind("filters-button", to: "filters-flap")
    bind("details-button", to: "details-flap")
    layout.object("details-flap").on("notify::reveal-flap") { [weak self] _ in
      guard let self else { return }
      let flap = layout.object("details-flap").object
      // A narrow window hides the pane, which nobody has asked for.
      if !flap.isSet("folded") { state.preferences.showsSidebar = flap.isSet("reveal-flap") }
    }
    layout.object("details-flap").on("notify::folded") { [weak self] arguments in
      self?.table.columns.isNarrow = arguments.object(0)?.object.isSet("folded") == true
    }
    layout.object("side-pages").on("notify::visible-child-name") { [weak self] _ in
      guard let self else { return }
      state.preferences.showsActivity = layout.object("side-pages").object.text("visible-child-name") == "activity"
    }
    connectSearch()
  }

  func restorePreferences() {
    let preferences = state.preferences
    gtk_window_set_default_size(
      widget.cast(), gint(clamping: preferences.windowWidth), gint(clamping: preferences.windowHeight))
    if preferences.isMaximised { gtk_window_maximize(widget.cast()) }
    adw_flap_set_reveal_flap(layout.object("details-flap"), preferences.showsSidebar ? 1 : 0)
    gtk_stack_set_visible_child_name(layout.object("side-pages"), preferences.showsActivity ? "activity" : "details")
  }

  /// Shows a page of the pane at the end.
  func showDetails(page: String) {
    adw_flap_set_reveal_flap(layout.object("details-flap"), 1)
    gtk_stack_set_visible_child_name(layout.object("side-pages"), page)
  }

  /// Shows what happened.
  func showActivity() { showDetails(page: "activity") }

  func toggleDetails() {
    let flap = layout.object("details-flap")
    adw_flap_set_reveal_flap(flap, adw_flap_get_reveal_flap(flap) == 0 ? 1 : 0)
  }

  private func bind(_ button: String, to flap: String) {
    g_object_bind_property(
      layout.object(flap).raw, "reveal-flap", layout.object(button).raw, "active",
      GBindingFlags(G_BINDING_BIDIRECTIONAL.rawValue | G_BINDING_SYNC_CREATE.rawValue))
  }
}

// MARK: - Search

extension BrowserWindow {
  private func connectSearch() {
    let bar = layout.object("search-bar")
    let entry = layout.widget("search-entry")
    gtk_search_bar_connect_entry(bar, entry.opaque)
    gtk_search_bar_set_key_capture_widget(bar, table.view)
    g_object_bind_property(
      bar.raw, "search-mode-enabled", layout.object("search-button").raw, "active",
      GBindingFlags(G_BINDING_BIDIRECTIONAL.rawValue | G_BINDING_SYNC_CREATE.rawValue))
    entry.on("search-changed") { [weak self] _ in
      let words = entry.object.text("text")
      self?.limit { $0.words = words }
    }
  }

  func beginSearch() {
    gtk_search_bar_set_search_mode(layout.object("search-bar"), 1)
    gtk_widget_grab_focus(layout.widget("search-entry"))
  }

  /// Ends the search, and shows the documents of all kinds.
  func showAll() {
    gtk_search_bar_set_search_mode(layout.object("search-bar"), 0)
    filters.chooseAll()
    limit { $0 = DocumentQuery() }
  }
}

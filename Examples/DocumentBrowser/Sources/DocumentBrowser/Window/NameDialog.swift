import CAdwaita

/// Asks for the name of a new folder.
enum NameDialog {
  static func ask(_ title: String, accept: String, over window: Widget, _ done: @escaping (String) -> Void) {
    let dialog: Widget = adw_message_dialog_new(window.cast(), title, nil)
    let entry: Widget = gtk_entry_new()
    gtk_entry_set_placeholder_text(entry.cast(), "Name")
    gtk_entry_set_activates_default(entry.cast(), 1)
    entry.setAccessible(name: "Name")
    adw_message_dialog_set_extra_child(dialog.cast(), entry)
    adw_message_dialog_add_response(dialog.cast(), "cancel", "_Cancel")
    adw_message_dialog_add_response(dialog.cast(), "accept", accept)
    adw_message_dialog_set_response_appearance(dialog.cast(), "accept", ADW_RESPONSE_SUGGESTED)
    adw_message_dialog_set_default_response(dialog.cast(), "accept")
    adw_message_dialog_set_close_response(dialog.cast(), "cancel")
    let check = {
      let isName = FileName.problem(of: entry.object.text("text")) == nil
      adw_message_dialog_set_response_enabled(dialog.cast(), "accept", isName ? 1 : 0)
    }
    check()
    entry.on("changed") { _ in check() }
    dialog.on("response") { arguments in
      if arguments.string(1) == "accept" { done(entry.object.text("text")) }
    }
    gtk_window_present(dialog.cast())
    gtk_widget_grab_focus(entry)
  }
}

/// The names that a file can have.
enum FileName {
  /// Why a text cannot be a name; empty if there is nothing to say, and `nil` if it can.
  static func problem(of text: String) -> String? {
    if text.isEmpty { return "" }
    if text.contains("/") { return "A name has no slash." }
    if text == "." || text == ".." { return "“\(text)” is the name of a folder." }
    return text.utf8.count > 255 ? "The name is too long." : nil
  }
}

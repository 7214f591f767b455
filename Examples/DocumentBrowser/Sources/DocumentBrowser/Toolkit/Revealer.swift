import CAdwaita

/// What a widget of the class `GtkRevealer` shows, which a screen reader finds only while it is shown.
final class Revealer {
  private let widget: Widget

  init(_ widget: Widget) {
    self.widget = widget
    widget.isVisible = false
    widget.on("notify::child-revealed") { _ in
      let isRevealed = gtk_revealer_get_reveal_child(widget.opaque) != 0
      if !isRevealed, gtk_revealer_get_child_revealed(widget.opaque) == 0 { widget.isVisible = false }
    }
  }

  /// Shows the contents, or hides them.
  func reveal(_ isRevealed: Bool) {
    if isRevealed { widget.isVisible = true }
    gtk_revealer_set_reveal_child(widget.opaque, isRevealed ? 1 : 0)
  }
}

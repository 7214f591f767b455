import BrowserModel
import CAdwaita

/// One button for each colour; a second press on it takes the label away.
final class LabelButtons {
  /// Called when a person chooses a label, or none.
  var onChoose: ((ColourLabel?) -> Void)?

  private var buttons: [(label: ColourLabel, widget: Widget, connection: Connection)] = []

  /// Adds the buttons to a box.
  init(_ box: Widget) {
    for label in ColourLabel.allCases {
      let button: Widget = gtk_toggle_button_new()
      let dot: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
      dot.setClass("dot")
      gtk_widget_set_halign(dot, GTK_ALIGN_CENTER)
      gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
      gtk_button_set_child(button.cast(), dot)
      for name in ["flat", "circular", "label-button", "label-\(label.rawValue)"] { button.setClass(name) }
      button.describe("Label \(label.rawValue)")
      let connection = button.on("toggled") { [weak self] _ in
        self?.onChoose?(button.object.isSet("active") ? label : nil)
      }
      buttons.append((label, button, connection))
      gtk_box_append(box.cast(), button)
    }
  }

  /// Shows which label the documents have.
  func show(_ label: ColourLabel?) {
    for button in buttons {
      button.widget.object.blocking(button.connection) { button.widget.set("active", button.label == label) }
    }
  }
}

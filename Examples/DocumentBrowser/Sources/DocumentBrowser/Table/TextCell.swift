import BrowserModel
import CAdwaita
import FileSystemObservation

/// A property of a document in words.
final class TextCell: DocumentCell {
  let widget: Widget
  private let text: (FileSystemItem.Snapshot) -> String

  /// Makes a cell.
  ///
  /// - Parameters:
  ///   - alignment: 0 for the start of the cell, 1 for its end.
  ///   - text: What the cell says of a document.
  init(alignment: Float = 0, _ text: @escaping (FileSystemItem.Snapshot) -> String) {
    self.text = text
    widget = makeLabel(classes: "dim-label", "numbers")
    gtk_label_set_xalign(widget.opaque, alignment)
  }

  func draw(_ item: FileSystemItem.Snapshot, _ annotation: Annotation) { widget.setText(text(item)) }
}

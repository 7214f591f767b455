import BrowserModel
import CAdwaita
import FileSystemObservation

/// What is going on with a document: a spinner while it is copied, then that it is complete.
final class StateCell: DocumentCell {
  let widget: Widget
  private let spinner: Widget = gtk_spinner_new()
  private let mark = makeIcon("object-select-symbolic")
  private let text = makeLabel(classes: "dim-label", "numbers")
  private let copies: CopyWatch

  init(_ copies: CopyWatch) {
    self.copies = copies
    widget = makeBox(spacing: 6, spinner, mark, text)
    mark.setClass("success")
  }

  func draw(_ item: FileSystemItem.Snapshot, _ annotation: Annotation) {
    let state = copies.state(of: item)
    spinner.isVisible = state == .copying
    gtk_spinner_set_spinning(spinner.opaque, state == .copying ? 1 : 0)
    mark.isVisible = state == .finished
    text.setText(state.title)
  }
}

import CAdwaita
import FoundationEssentials

/// The note of a document, which is kept as it is typed.
final class NoteEditor {
  /// Called with the document and its new note.
  var onChange: ((UUID, String) -> Void)?

  private let view: Widget
  private let buffer: OpaquePointer
  private var document: UUID?
  private var kept = ""
  private let delay = Delay(.milliseconds(600))
  private var connection: Connection?

  init(_ view: Widget) {
    self.view = view
    buffer = OpaquePointer(gtk_text_view_get_buffer(view.cast()))
    connection = buffer.on("changed") { [weak self] _ in self?.delay.perform { self?.keep() } }
    guard let focus = gtk_event_controller_focus_new() else { return }
    focus.on("leave") { [weak self] _ in self?.keep() }
    gtk_widget_add_controller(view, focus)
  }

  /// Shows the note of a document.
  func show(_ document: UUID?, _ text: String) {
    self.document = document
    setText(text)
  }

  /// Takes a note that was changed elsewhere; not while a person types another.
  func update(_ text: String) {
    if text != kept, self.text == kept { setText(text) }
    kept = text
  }

  /// Keeps what was typed.
  func keep() {
    delay.cancel()
    guard let document, text != kept else { return }
    kept = text
    onChange?(document, kept)
  }

  /// Has the person type.
  func focus() { gtk_widget_grab_focus(view) }

  private func setText(_ text: String) {
    delay.cancel()
    kept = text
    buffer.object.blocking(connection) { gtk_text_buffer_set_text(buffer.cast(), text, -1) }
  }

  private var text: String { buffer.object.text("text") }
}

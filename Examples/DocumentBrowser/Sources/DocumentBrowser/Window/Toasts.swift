import CAdwaita
import FileSystemObservation

/// Short messages at the lower end of the window.
final class Toasts {
  private let overlay: OpaquePointer
  private var shown: Reference?

  /// Makes the messages of an `AdwToastOverlay`.
  init(_ overlay: OpaquePointer) {
    self.overlay = overlay
  }

  /// Shows a message.
  func show(_ text: String) { add(text, button: nil, action: nil) }

  /// Shows a message with a button that takes back what was done.
  func showUndoable(_ text: String) { add(text, button: "Undo", action: "win.undo") }

  /// Shows an error: what happened, and what to do.
  func show(_ error: any Error) {
    switch error {
    case let error as FileSystemObserverError where error.code == .cancelled: show("Cancelled: nothing was changed")
    case let error as FileSystemObserverError: show(error.message.asSentence)
    default: show(String(describing: error).asSentence)
    }
  }

  private func add(_ text: String, button: String?, action: String?) {
    // The text of a toast is markup.
    let toast = adw_toast_new(taken(g_markup_escape_text(text, -1)) ?? "")
    guard let toast else { return }
    // What was done last is what a person can take back.
    shown.map { adw_toast_dismiss($0.pointer) }
    shown = Reference(to: toast)
    if let button { adw_toast_set_button_label(toast, button) }
    if let action { adw_toast_set_action_name(toast, action) }
    adw_toast_overlay_add_toast(overlay, toast)
  }
}

extension String {
  /// The text with a capital at its beginning.
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() }
}

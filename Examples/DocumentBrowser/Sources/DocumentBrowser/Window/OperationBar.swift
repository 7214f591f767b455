import CAdwaita
import FileSystemObservation
import Synchronization

/// How far an operation has come that takes its time, and a button to end it.
final class OperationBar {
  private let revealer: Revealer
  private let title: Widget
  private let progress: OpaquePointer
  private var task: Task<Void, Never>?
  private let delay = Delay(.milliseconds(400))

  init(_ layout: Layout) {
    revealer = Revealer(layout.widget("operation-bar"))
    title = layout.widget("operation-title")
    progress = layout.object("operation-progress")
    layout.object("operation-cancel").on("clicked") { [weak self] _ in self?.task?.cancel() }
  }

  /// Performs an operation, and shows how far it has come if it takes longer than a moment.
  ///
  /// - Parameters:
  ///   - text: What is done, for example `Duplicating report.odt`.
  ///   - body: The operation, which ends when its task is cancelled.
  func perform(_ text: String, _ body: @escaping (FileSystemObserver.OperationControl) async -> Void) {
    title.setText(text)
    gtk_progress_bar_set_fraction(progress, 0)
    delay.perform { [revealer] in revealer.reveal(true) }
    let control = FileSystemObserver.OperationControl { [weak self] progress in
      let fraction = progress.fraction
      Task { @MainActor in self?.show(fraction) }
    }
    task = Task { [weak self] in
      await body(control)
      self?.end()
    }
  }

  /// Ends the operation, and waits until it has: nothing is left half done.
  func cancel() async {
    task?.cancel()
    await task?.value
  }

  private func show(_ fraction: Double?) {
    if let fraction { gtk_progress_bar_set_fraction(progress, fraction) } else { gtk_progress_bar_pulse(progress) }
  }

  private func end() {
    delay.cancel()
    revealer.reveal(false)
  }
}

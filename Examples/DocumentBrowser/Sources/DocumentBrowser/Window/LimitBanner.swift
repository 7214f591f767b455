import BrowserModel
import CAdwaita

/// What keeps the program from knowing everything, and what to do about it. (libadwaita has `AdwBanner` from 1.3 on.)
final class LimitBanner {
  private let revealer: Revealer
  private let title: Widget
  private let advice: Widget
  private let command: Widget
  private let limits: LimitWatch

  init(_ layout: Layout, _ limits: LimitWatch) {
    self.limits = limits
    revealer = Revealer(layout.widget("banner"))
    title = layout.widget("banner-title")
    advice = layout.widget("banner-advice")
    command = layout.widget("banner-command")
    limits.onChange = { [weak self] in self?.show() }
    command.on("clicked") { [weak self] _ in self?.copyCommand() }
    layout.object("banner-close").on("clicked") { [weak self] _ in
      if let limit = self?.limits.current { self?.limits.dismiss(limit) }
    }
    show()
  }

  private func show() {
    revealer.reveal(limits.current != nil)
    guard let limit = limits.current else { return }
    title.setText(limit.title)
    advice.setText([limit.advice, limit.command].compactMap { $0 }.joined(separator: "\n"))
    command.isVisible = limit.command != nil
  }

  private func copyCommand() {
    guard let text = limits.current?.command else { return }
    gdk_clipboard_set_text(gtk_widget_get_clipboard(command), text)
  }
}

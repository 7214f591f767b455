import BrowserModel
import CAdwaita
import FoundationEssentials

/// What has happened to the selected document.
final class HistoryList {
  private let section: Widget
  private let list: Widget
  private var task: Task<Void, Never>?

  init(_ layout: Layout) {
    section = layout.widget("history-section")
    list = layout.widget("history")
  }

  /// Shows the history of a document, as soon as it is read.
  func show(_ document: UUID?, _ read: ((UUID) async -> [ActivityFeed.Entry])?) {
    task?.cancel()
    guard let document, let read else {
      section.isVisible = false
      return
    }
    task = Task { [weak self] in
      // A person who goes through the rows quickly does not want each of these.
      try? await Task.sleep(for: .milliseconds(150))
      if Task.isCancelled { return }
      let entries = await read(document)
      if !Task.isCancelled { self?.show(entries) }
    }
  }

  private func show(_ entries: [ActivityFeed.Entry]) {
    for row in list.children { gtk_list_box_remove(list.opaque, row) }
    for entry in entries { gtk_list_box_append(list.opaque, Self.makeRow(entry)) }
    section.isVisible = !entries.isEmpty
  }

  private static func makeRow(_ entry: ActivityFeed.Entry) -> Widget {
    let text = makeLabel(entry.detail.prefix(1).uppercased() + entry.detail.dropFirst())
    gtk_label_set_wrap(text.opaque, 1)
    gtk_label_set_ellipsize(text.opaque, PANGO_ELLIPSIZE_NONE)
    let time = makeLabel(Wording.moment(entry.date), classes: "dim-label", "caption")
    let box = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 2, text, time)
    box.setClass("history-row")
    let row: Widget = gtk_list_box_row_new()
    gtk_list_box_row_set_child(row.cast(), box)
    gtk_list_box_row_set_activatable(row.cast(), 0)
    row.setAccessible(name: entry.detail)
    return row
  }
}

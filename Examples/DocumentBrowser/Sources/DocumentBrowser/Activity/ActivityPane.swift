import BrowserModel
import CAdwaita
import FoundationEssentials

/// What happened to whom: since the start, and while the program was not running.
final class ActivityPane {
  /// Called when a person chooses the document of an entry.
  var onChoose: ((UUID) -> Void)?

  private let layout = Layout(PackageResources.activity_ui)
  private let page: OpaquePointer
  private let now: EntryList
  private let away: EntryList
  private var feed: ActivityFeed?

  init(_ window: Layout) {
    page = window.object("activity-page")
    now = EntryList(layout.widget("now"))
    away = EntryList(layout.widget("away"))
    adw_bin_set_child(window.widget("activity-bin").cast(), layout.widget("activity"))
    for list in [now, away] { list.onChoose = { [weak self] in self?.onChoose?($0) } }
  }

  /// Shows what happens in another folder.
  func show(_ feed: ActivityFeed?) {
    self.feed?.onChange = nil
    self.feed = feed
    feed?.onChange = { [weak self] _ in self?.update() }
    update()
  }

  /// Whether something happened while the program was not running.
  var hasNewsOfAway: Bool { feed?.whileAway.isEmpty == false }

  private func update() {
    let entries = feed?.entries ?? []
    now.show(entries.filter { !$0.isWhileAway })
    away.show(entries.filter(\.isWhileAway))
    layout.widget("now-section").isVisible = !now.isEmpty
    layout.widget("away-section").isVisible = !away.isEmpty
    gtk_stack_set_visible_child_name(layout.object("activity"), entries.isEmpty ? "nothing" : "entries")
  }

  /// Shows what happened meanwhile, which is known when the folder is read.
  func showWhileAway() { update() }
}

/// The rows of one list of entries; only what is another is made anew.
private final class EntryList {
  var onChoose: ((UUID) -> Void)?
  private let list: Widget
  private var entries: [ActivityFeed.Entry] = []

  /// The largest number of rows.
  private static let limit = 100

  init(_ list: Widget) {
    self.list = list
    list.on("row-activated") { [weak self] arguments in
      guard let self, let row = arguments.object(1) else { return }
      let index = Int(gtk_list_box_row_get_index(row.cast()))
      if entries.indices.contains(index), let uuid = entries[index].uuid { onChoose?(uuid) }
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  func show(_ newEntries: [ActivityFeed.Entry]) {
    let new = Array(newEntries.prefix(Self.limit))
    for change in new.difference(from: entries) {
      switch change {
      case .remove(let index, _, _):
        if let row = gtk_list_box_get_row_at_index(list.opaque, gint(index)) {
          gtk_list_box_remove(list.opaque, row.cast())
        }
      case .insert(let index, let entry, _): gtk_list_box_insert(list.opaque, Self.makeRow(entry), gint(index))
      }
    }
    entries = new
  }

  private static func makeRow(_ entry: ActivityFeed.Entry) -> Widget {
    let title = makeLabel(entry.title, ellipsis: PANGO_ELLIPSIZE_MIDDLE, classes: "heading")
    gtk_widget_set_hexpand(title, 1)
    let time = makeLabel(Wording.moment(entry.date), classes: "dim-label", "caption", "numbers")
    let detail = makeLabel(entry.detail)
    gtk_label_set_wrap(detail.opaque, 1)
    gtk_label_set_ellipsize(detail.opaque, PANGO_ELLIPSIZE_NONE)
    let icon = makeIcon(entry.iconName)
    gtk_widget_set_valign(icon, GTK_ALIGN_START)
    gtk_widget_set_margin_top(icon, 2)
    let text = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 2, makeBox(spacing: 6, title, time), detail)
    let box = makeBox(spacing: 12, icon, text)
    box.setClass("entry")
    let row: Widget = gtk_list_box_row_new()
    gtk_list_box_row_set_child(row.cast(), box)
    gtk_list_box_row_set_activatable(row.cast(), entry.uuid == nil ? 0 : 1)
    row.setAccessible(name: "\(entry.title) \(entry.detail)")
    return row
  }
}

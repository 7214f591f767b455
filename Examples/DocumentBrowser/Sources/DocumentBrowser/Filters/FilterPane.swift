import BrowserModel
import CAdwaita

/// The pane that chooses which documents the table has.
final class FilterPane {
  /// Called when a person chooses.
  var onChoose: ((DocumentQuery.Choice) -> Void)?

  private let list: OpaquePointer
  private var choices: [DocumentQuery.Choice] = []

  init(_ layout: Layout) {
    list = layout.object("filters")
    add(.all, "All Documents", makeIcon("folder-documents-symbolic"))
    add(.favourites, "Favourites", makeIcon("starred-symbolic"))
    add(.noted, "With a Note", makeIcon("accessories-text-editor-symbolic"))
    for label in ColourLabel.allCases {
      add(.label(label), label.title, Self.makeDot(label), accessible: "Label \(label.rawValue)")
    }
    for kind in KindGroup.allCases { add(.kind(kind), kind.title, makeIcon(kind.iconName)) }
    chooseAll()
    list.on("row-selected") { [weak self] arguments in
      guard let self, let row = arguments.object(1) else { return }
      let index = Int(gtk_list_box_row_get_index(row.cast()))
      if choices.indices.contains(index) { onChoose?(choices[index]) }
    }
  }

  /// Chooses all documents.
  func chooseAll() { gtk_list_box_select_row(list, gtk_list_box_get_row_at_index(list, 0)) }

  private func add(_ choice: DocumentQuery.Choice, _ title: String, _ icon: Widget, accessible: String? = nil) {
    let row: Widget = gtk_list_box_row_new()
    let isFirstOfSection = choice == .label(.red) || choice == .kind(.folders)
    gtk_list_box_row_set_child(row.cast(), makeBox(spacing: 9, icon, makeLabel(title)))
    row.setClass("section", isFirstOfSection)
    row.setAccessible(name: accessible ?? title)
    gtk_list_box_append(list, row)
    choices.append(choice)
  }

  private static func makeDot(_ label: ColourLabel) -> Widget {
    let dot: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    dot.setClass("dot")
    dot.setClass("label-\(label.rawValue)")
    gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
    gtk_widget_set_margin_start(dot, 3)
    gtk_widget_set_margin_end(dot, 3)
    return dot
  }
}

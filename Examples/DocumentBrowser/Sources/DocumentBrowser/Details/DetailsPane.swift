import BrowserModel
import CAdwaita
import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// What is known and noted of the selected documents.
final class DetailsPane {
  /// Called when something cannot be kept.
  var onError: ((any Error) -> Void)?
  /// Reads what has happened to a document.
  var onHistory: ((UUID) async -> [ActivityFeed.Entry])?

  private let layout = Layout(PackageResources.details_ui)
  private let annotations: Annotations
  private let labels: LabelButtons
  private let note: NoteEditor
  private let history: HistoryList
  private let thumbnails = Thumbnails()
  private var shown: [FileSystemItem.Snapshot] = []
  private var favouriteConnection: Connection?

  init(_ annotations: Annotations, _ window: Layout) {
    self.annotations = annotations
    labels = LabelButtons(layout.widget("labels"))
    note = NoteEditor(layout.widget("note"))
    history = HistoryList(layout)
    adw_bin_set_child(window.widget("details-bin").cast(), layout.widget("details"))
    labels.onChoose = { [weak self] in self?.setLabel($0) }
    note.onChange = { [weak self] uuid, text in self?.change([uuid]) { $0.note = text } }
    favouriteConnection = layout.object("favourite").on("toggled") { [weak self] arguments in
      let isFavourite = arguments.object(0)?.object.isSet("active") == true
      self?.changeShown { $0.isFavourite = isFavourite }
    }
  }

  // MARK: - Showing

  /// Shows documents.
  ///
  /// - Parameters:
  ///   - items: The selected documents; empty if there are too many to show.
  ///   - count: The number of selected documents.
  ///   - session: The open folder.
  func show(_ items: [FileSystemItem.Snapshot], count: Int, _ session: FolderSession?) {
    guard items != shown else { return }
    let isOther = items.map(\.uuid) != shown.map(\.uuid)
    if isOther { keepNote() }
    shown = items
    gtk_stack_set_visible_child_name(layout.object("details"), items.isEmpty ? "none" : "document")
    if items.isEmpty { return note.show(nil, "") }
    if items.count == 1 { showFacts(of: items[0], session) } else { showSummary(of: items) }
    showAnnotation(isOther: isOther)
    for part in ["note-section", "facts"] { layout.widget(part).isVisible = items.count == 1 }
    history.show(items.count == 1 ? items[0].uuid : nil, onHistory)
  }

  private func showFacts(of item: FileSystemItem.Snapshot, _ session: FolderSession?) {
    layout.widget("name").setText(item.name)
    layout.widget("summary").setText("\(DocumentKind.of(item).title) · \(Wording.size(of: item))")
    showPicture(of: item)
    setFact("location", place(of: item, session))
    setFact("modified", Wording.fullMoment(item.modificationDate))
    setFact("created", item.creationDate.map { Wording.fullMoment($0) } ?? "Not recorded")
    setFact("identity", identity(of: item))
  }

  private func showSummary(of items: [FileSystemItem.Snapshot]) {
    layout.widget("name").setText("\(Wording.count(items.count, "item")) selected")
    layout.widget("summary").setText(Wording.size(items.reduce(0) { $0 + $1.size }))
    gtk_image_set_from_icon_name(layout.object("picture"), "emblem-documents-symbolic")
  }

  private func showPicture(of item: FileSystemItem.Snapshot) {
    let image = layout.object("picture")
    let kind = DocumentKind.of(item)
    let show = { [weak self] (picture: Reference) in
      if self?.shown.first?.uuid == item.uuid { gtk_image_set_from_paintable(image, picture.pointer) }
    }
    if kind.isImage, let picture = thumbnails.picture(of: item, size: 256, show) { return show(picture) }
    gtk_image_set_from_gicon(image, kind.icon.pointer)
  }

  private func place(of item: FileSystemItem.Snapshot, _ session: FolderSession?) -> String {
    let folder = session?.path.lastComponent?.string ?? "/"
    return FilePath(folder).pushing(item.relativePath.removingLastComponent()).string
  }

  private func identity(of item: FileSystemItem.Snapshot) -> String {
    item.uuid.uuidString.lowercased() + (item.identity == .tag ? "" : ", by its inode only")
  }

  private func setFact(_ row: String, _ text: String) { layout.object(row).object.set("subtitle", text) }

  // MARK: - Annotations

  /// Shows other annotations of the selected documents.
  func noteAnnotations(_ uuids: Set<UUID>) {
    if shown.contains(where: { uuids.contains($0.uuid) }) { showAnnotation(isOther: false) }
  }

  private func showAnnotation(isOther: Bool) {
    let all = shown.map { annotations[$0.uuid] }
    let button = layout.object("favourite")
    let isFavourite = all.allSatisfy(\.isFavourite)
    button.object.blocking(favouriteConnection) { button.object.set("active", isFavourite) }
    button.object.set("icon-name", isFavourite ? "starred-symbolic" : "non-starred-symbolic")
    labels.show(Set(all.map(\.label)).count == 1 ? all.first?.label : nil)
    let single = shown.count == 1 ? shown.first?.uuid : nil
    if isOther { note.show(single, all.first?.note ?? "") } else { note.update(all.first?.note ?? "") }
  }

  /// Makes the selected documents favourites, or no longer.
  func toggleFavourite() {
    let isFavourite = !shown.allSatisfy { annotations[$0.uuid].isFavourite }
    changeShown { $0.isFavourite = isFavourite }
  }

  /// Gives the selected documents a label, or none.
  func setLabel(_ label: ColourLabel?) { changeShown { $0.label = label } }

  /// Has the person write the note.
  func focusNote() { note.focus() }

  /// Keeps what was typed and is not kept yet.
  func keepNote() { note.keep() }

  private func changeShown(_ change: (inout Annotation) -> Void) { self.change(shown.map(\.uuid), change) }

  private func change(_ uuids: [UUID], _ change: (inout Annotation) -> Void) {
    do {
      for uuid in uuids {
        var annotation = annotations[uuid]
        change(&annotation)
        try annotations.set(annotation, for: uuid)
      }
    } catch {
      onError?(error)
    }
  }
}

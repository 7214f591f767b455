import BrowserModel
import CAdwaita
import FileSystemObservation

/// The icon or thumbnail of a document, its name, the folder it is in, its label and its star.
final class NameCell: DocumentCell {
  let widget: Widget
  private let image = makeIcon(size: NameCell.pictureSize)
  private let name = makeLabel(ellipsis: PANGO_ELLIPSIZE_MIDDLE)
  private let folder = makeLabel(ellipsis: PANGO_ELLIPSIZE_START, classes: "dim-label", "caption")
  private let dot: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
  private let star = makeIcon("starred-symbolic")
  private let thumbnails: Thumbnails
  private let place: (FileSystemItem.Snapshot) -> String
  private var shown: FileSystemItem.Snapshot?
  private var label: ColourLabel?

  private static let pictureSize: Int32 = 28

  /// Makes a cell.
  ///
  /// - Parameters:
  ///   - thumbnails: The pictures of images.
  ///   - place: Where a document is; empty if there is nothing to say.
  init(_ thumbnails: Thumbnails, place: @escaping (FileSystemItem.Snapshot) -> String) {
    self.thumbnails = thumbnails
    self.place = place
    let texts = makeBox(GTK_ORIENTATION_VERTICAL, name, folder)
    widget = makeBox(spacing: 9, image, texts, dot, star)
    gtk_widget_set_hexpand(texts, 1)
    gtk_label_set_width_chars(name.opaque, 12)
    gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
    dot.setClass("dot")
    star.setClass("star")
    image.setClass("thumbnail")
  }

  func draw(_ item: FileSystemItem.Snapshot, _ annotation: Annotation) {
    name.setText(item.name)
    let place = place(item)
    folder.setText(place)
    folder.isVisible = !place.isEmpty
    drawPicture(item)
    star.isVisible = annotation.isFavourite
    dot.isVisible = annotation.label != nil
    if label != annotation.label {
      if let label { dot.setClass("label-\(label.rawValue)", false) }
      if let label = annotation.label { dot.setClass("label-\(label.rawValue)") }
      label = annotation.label
    }
    shown = item
  }

  private func drawPicture(_ item: FileSystemItem.Snapshot) {
    if let shown, shown.uuid == item.uuid, shown.name == item.name,
      shown.modificationNanoseconds == item.modificationNanoseconds, shown.isCopying == item.isCopying
    {
      return
    }
    let kind = DocumentKind.of(item)
    if kind.isImage,
      let picture = thumbnails.picture(
        of: item, size: Self.pictureSize * 2, { [weak self] in self?.take($0, of: item) })
    {
      gtk_image_set_from_paintable(image.opaque, picture.pointer)
    } else {
      gtk_image_set_from_gicon(image.opaque, kind.icon.pointer)
    }
  }

  /// Shows a picture that was made meanwhile, if the cell still shows the document.
  private func take(_ picture: Reference, of item: FileSystemItem.Snapshot) {
    guard shown?.uuid == item.uuid, shown?.modificationNanoseconds == item.modificationNanoseconds else { return }
    gtk_image_set_from_paintable(image.opaque, picture.pointer)
  }
}

import CAdwaita

/// A label of one line that is shortened where it is too long.
func makeLabel(_ text: String = "", ellipsis: PangoEllipsizeMode = PANGO_ELLIPSIZE_END, classes: String...) -> Widget {
  let label: Widget = gtk_label_new(text)
  gtk_label_set_xalign(label.opaque, 0)
  gtk_label_set_ellipsize(label.opaque, ellipsis)
  classes.forEach { label.setClass($0) }
  return label
}

extension Widget {
  /// Sets the text of a label, if it is another.
  func setText(_ text: String) { gtk_label_set_text(opaque, text) }
}

/// A box with widgets side by side, or one below the other.
func makeBox(
  _ orientation: GtkOrientation = GTK_ORIENTATION_HORIZONTAL, spacing: Int32 = 0, _ children: Widget...
) -> Widget {
  let box: Widget = gtk_box_new(orientation, spacing)
  for child in children { gtk_box_append(box.cast(), child) }
  return box
}

/// An image that says nothing which is not said in words, too.
func makeIcon(_ name: String? = nil, size: Int32 = 16) -> Widget {
  let image: Widget = name.map { gtk_image_new_from_icon_name($0) } ?? gtk_image_new()
  gtk_image_set_pixel_size(image.opaque, size)
  return image
}

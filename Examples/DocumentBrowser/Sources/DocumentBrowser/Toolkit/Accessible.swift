import CAdwaita

extension Widget {
  /// Sets what a screen reader calls the widget.
  func setAccessible(name: String) { update(GTK_ACCESSIBLE_PROPERTY_LABEL, name) }

  /// Sets what a screen reader says of the widget after its name.
  func setAccessible(description: String) { update(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description) }

  private func update(_ property: GtkAccessibleProperty, _ text: String) {
    var property = property
    var value = GValue()
    gtk_accessible_property_init_value(property, &value)
    g_value_set_string(&value, text)
    gtk_accessible_update_property_value(opaque, 1, &property, &value)
    g_value_unset(&value)
  }
}

import CAdwaita

/// What a property of GTK can be set to.
protocol PropertyValue {
  static var type: GType { get }
  func store(in value: UnsafeMutablePointer<GValue>)
}

extension String: PropertyValue {
  static var type: GType { GObjectType.string }
  func store(in value: UnsafeMutablePointer<GValue>) { g_value_set_string(value, self) }
}

extension Bool: PropertyValue {
  static var type: GType { GObjectType.bool }
  func store(in value: UnsafeMutablePointer<GValue>) { g_value_set_boolean(value, self ? 1 : 0) }
}

extension Int: PropertyValue {
  static var type: GType { GObjectType.int }
  func store(in value: UnsafeMutablePointer<GValue>) { g_value_set_int(value, gint(clamping: self)) }
}

extension Double: PropertyValue {
  static var type: GType { GObjectType.double }
  func store(in value: UnsafeMutablePointer<GValue>) { g_value_set_double(value, self) }
}

extension UnsafeMutablePointer<GObject> {
  /// Sets a property by its name; for what is set now and then.
  func set<Value: PropertyValue>(_ property: String, _ newValue: Value) {
    var value = GValue()
    g_value_init(&value, Value.type)
    newValue.store(in: &value)
    g_object_set_property(self, property, &value)
    g_value_unset(&value)
  }

  /// A property that is true or false.
  func isSet(_ property: String) -> Bool {
    var value = GValue()
    g_value_init(&value, GObjectType.bool)
    g_object_get_property(self, property, &value)
    defer { g_value_unset(&value) }
    return g_value_get_boolean(&value) != 0
  }

  /// A property that is a text.
  func text(_ property: String) -> String {
    var value = GValue()
    g_value_init(&value, GObjectType.string)
    g_object_get_property(self, property, &value)
    defer { g_value_unset(&value) }
    return g_value_get_string(&value).map { String(cString: $0) } ?? ""
  }
}

extension Widget {
  /// Sets a property by its name.
  func set(_ property: String, _ value: some PropertyValue) { object.set(property, value) }

  /// Whether the widget is shown.
  var isVisible: Bool {
    get { gtk_widget_get_visible(self) != 0 }
    nonmutating set { gtk_widget_set_visible(self, newValue ? 1 : 0) }
  }

  /// Whether the widget can be used.
  var isSensitive: Bool {
    get { gtk_widget_get_sensitive(self) != 0 }
    nonmutating set { gtk_widget_set_sensitive(self, newValue ? 1 : 0) }
  }

  /// Adds a class of the style sheet, or removes it.
  func setClass(_ name: String, _ isSet: Bool = true) {
    if isSet { gtk_widget_add_css_class(self, name) } else { gtk_widget_remove_css_class(self, name) }
  }

  /// The widget that this one is in.
  var parent: Widget? { gtk_widget_get_parent(self) }

  /// The widgets directly in this one.
  var children: [Widget] {
    Array(
      sequence(state: gtk_widget_get_first_child(self)) { next in
        defer { next = next.flatMap { gtk_widget_get_next_sibling($0) } }
        return next
      })
  }

  /// Sets what the pointer shows when it rests on the widget, which is also its accessible name.
  func describe(_ text: String) {
    gtk_widget_set_tooltip_text(self, text)
    setAccessible(name: text)
  }
}

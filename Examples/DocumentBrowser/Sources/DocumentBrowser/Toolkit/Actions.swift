import CAdwaita

/// Actions of a window or of the application, which menus, buttons and keys perform by their names.
struct Actions {
  /// A `GActionMap`.
  let map: OpaquePointer

  /// Adds an action.
  func add(_ name: String, _ body: @escaping () -> Void) {
    let action = Reference(taking: g_simple_action_new(name, nil))
    action.pointer.on("activate") { _ in body() }
    g_action_map_add_action(map, action.pointer)
  }

  /// Adds an action that is performed with a text, as `win.label('red')`.
  func add(_ name: String, withText body: @escaping (String) -> Void) {
    let type = g_variant_type_new("s")
    defer { g_variant_type_free(type) }
    let action = Reference(taking: g_simple_action_new(name, type))
    action.pointer.on("activate") { arguments in
      if let text = arguments.variant(1)?.string { body(text) }
    }
    g_action_map_add_action(map, action.pointer)
  }

  /// Adds an action that is on or off.
  func add(_ name: String, isOn: Bool, _ body: @escaping (Bool) -> Void) {
    add(name, nil, g_variant_new_boolean(isOn ? 1 : 0)) { body(g_variant_get_boolean($0) != 0) }
  }

  /// Adds an action that chooses one of several texts.
  func add(_ name: String, choice: String, _ body: @escaping (String) -> Void) {
    let type = g_variant_type_new("s")
    defer { g_variant_type_free(type) }
    add(name, type, g_variant_new_string(choice)) { if let text = $0.string { body(text) } }
  }

  private func add(
    _ name: String, _ type: OpaquePointer?, _ state: OpaquePointer?, _ body: @escaping (OpaquePointer) -> Void
  ) {
    let action = Reference(taking: g_simple_action_new_stateful(name, type, state))
    action.pointer.on("change-state") { arguments in
      guard let state = arguments.variant(1), let action = arguments.object(0) else { return }
      g_simple_action_set_state(action, state)
      body(state)
    }
    g_action_map_add_action(map, action.pointer)
  }

  /// Has an action be possible or not.
  func enable(_ name: String, _ isEnabled: Bool) {
    if let action = g_action_map_lookup_action(map, name) { action.object.set("enabled", isEnabled) }
  }

  /// Sets the state of an action without performing it.
  func setState(_ name: String, _ isOn: Bool) {
    if let action = g_action_map_lookup_action(map, name) {
      g_simple_action_set_state(action, g_variant_new_boolean(isOn ? 1 : 0))
    }
  }

  /// Sets the state of an action without performing it.
  func setState(_ name: String, _ choice: String) {
    if let action = g_action_map_lookup_action(map, name) {
      g_simple_action_set_state(action, g_variant_new_string(choice))
    }
  }
}

extension OpaquePointer {
  /// The text of a `GVariant`.
  fileprivate var string: String? { g_variant_get_string(self, nil).map { String(cString: $0) } }
}

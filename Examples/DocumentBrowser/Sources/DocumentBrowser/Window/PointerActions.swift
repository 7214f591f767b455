import CAdwaita
import FileSystemObservation
import SystemPackage

/// What the pointer and the keys do on the rows of the table: menus, dragging and dropping.
final class PointerActions {
  private unowned let window: BrowserWindow
  private let menu: Widget
  private var target: Widget?
  /// The widget under the pointer when the menu was shown.
  private var pressed: Reference?

  init(_ window: BrowserWindow) {
    self.window = window
    menu = gtk_popover_menu_new_from_model(window.layout.object("document-menu").cast())
  }

  private var view: Widget { window.table.view }

  func connect() {
    gtk_widget_set_parent(menu, view)
    gtk_popover_set_has_arrow(menu.cast(), 0)
    gtk_widget_set_halign(menu, GTK_ALIGN_START)
    connectMenu()
    connectKeys()
    connectDragging()
    connectDropping()
  }

  // MARK: - The menu

  private func connectMenu() {
    guard let click = gtk_gesture_click_new() else { return }
    gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
    click.on("pressed") { [weak self] arguments in
      self?.showMenu(atX: arguments.double(2), y: arguments.double(3))
      gtk_gesture_set_state(click, GTK_EVENT_SEQUENCE_CLAIMED)
    }
    gtk_widget_add_controller(view, click)
    menu.on("closed") { [weak self] _ in self?.release() }
  }

  private func showMenu(atX x: Double, y: Double) {
    guard let row = window.table.row(atX: x, y: y) else { return }
    pressed = gtk_widget_pick(view, x, y, GTK_PICK_DEFAULT).map { Reference(to: $0) }
    window.table.selectForMenu(row.item.id)
    var place = GdkRectangle(x: Int32(x), y: Int32(y), width: 1, height: 1)
    gtk_popover_set_pointing_to(menu.cast(), &place)
    gtk_popover_popup(menu.cast())
  }

  /// A row that was pressed, and does not get the release because the menu does, would look pressed for good.
  private func release() {
    var widget = pressed?.pointer.widget
    while let next = widget, next != view {
      gtk_widget_unset_state_flags(next, GTK_STATE_FLAG_ACTIVE)
      widget = next.parent
    }
    pressed = nil
  }

  private func connectKeys() {
    guard let keys = gtk_event_controller_key_new() else { return }
    keys.object.onAnswering("key-pressed") { [weak self] arguments in
      switch Int32(arguments.int(1)) {
      case GDK_KEY_Delete, GDK_KEY_KP_Delete: self?.perform("win.trash")
      case GDK_KEY_Menu: self?.showMenuOfSelection()
      default: return false
      }
      return true
    }
    gtk_widget_add_controller(view, keys)
  }

  private func perform(_ action: String) { gtk_widget_activate_action_variant(view, action, nil) }

  private func showMenuOfSelection() {
    guard let item = window.table.selected.first, let widget = window.table.widget(of: item.id) else { return }
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(widget, view, &bounds) != 0 else { return }
    showMenu(atX: Double(bounds.origin.x) + 24, y: Double(bounds.origin.y + bounds.size.height / 2))
  }

  // MARK: - Dragging and dropping

  private func connectDragging() {
    guard let source = gtk_drag_source_new() else { return }
    gtk_drag_source_set_actions(source, GdkDragAction(GDK_ACTION_MOVE.rawValue | GDK_ACTION_COPY.rawValue))
    source.object.onGiving("prepare") { [weak self] arguments in
      guard let self, let row = window.table.row(atX: arguments.double(1), y: arguments.double(2)) else { return nil }
      window.table.selectForMenu(row.item.id)
      return Files.provider(of: window.table.selected.map(\.path))
    }
    gtk_widget_add_controller(view, source)
  }

  private func connectDropping() {
    let actions = GdkDragAction(GDK_ACTION_MOVE.rawValue | GDK_ACTION_COPY.rawValue)
    guard let drop = gtk_drop_target_new(gdk_file_list_get_type(), actions) else { return }
    let follow: (SignalArguments) -> UInt32 = { [weak self] arguments in
      self?.highlight(self?.folder(arguments)?.widget)
      return self?.folder(arguments) == nil ? 0 : GDK_ACTION_MOVE.rawValue
    }
    drop.object.onChoosing("enter", follow)
    drop.object.onChoosing("motion", follow)
    drop.on("leave") { [weak self] _ in self?.highlight(nil) }
    drop.object.onAnswering("drop") { [weak self] arguments in
      self?.highlight(nil)
      guard let self, let value = arguments.dropped(1),
        let row = window.table.row(atX: arguments.double(2), y: arguments.double(3)), row.item.kind == .directory
      else { return false }
      window.operations.put(Files.paths(in: value), into: row.item.snapshot)
      return true
    }
    gtk_widget_add_controller(view, drop)
  }

  /// The folder under the pointer.
  private func folder(_ arguments: SignalArguments) -> (item: FileSystemItem, widget: Widget)? {
    window.table.row(atX: arguments.double(1), y: arguments.double(2)).flatMap { $0.item.kind == .directory ? $0 : nil }
  }

  private func highlight(_ row: Widget?) {
    guard row != target else { return }
    target?.setClass("drop-target", false)
    row?.setClass("drop-target")
    target = row
  }
}

import BrowserModel
import CAdwaita
import FileSystemObservation
import SystemPackage

/// The program: one window, and what it keeps between runs.
final class Application {
  private let app: Reference
  private let measures: Bool
  private lazy var state = BrowserState.standard()
  private var window: BrowserWindow?
  private var meter: FrameMeter?

  /// Makes the program.
  ///
  /// - Parameter measures: Whether it prints how long frames take and how long the main loop is held up.
  init(measures: Bool) {
    self.measures = measures
    app = Reference(
      taking: OpaquePointer(
        adw_application_new(BrowserState.applicationID, G_APPLICATION_HANDLES_OPEN).cast(to: GApplication.self)))
  }

  private var application: UnsafeMutablePointer<GtkApplication> { app.pointer.cast() }

  /// Runs until the window is closed.
  ///
  /// - Returns: The exit status.
  func run(_ arguments: [String]) -> Int32 {
    app.pointer.on("startup") { [weak self] _ in self?.start() }
    app.pointer.on("activate") { [weak self] _ in self?.present(nil) }
    app.pointer.on("open") { [weak self] arguments in self?.present(arguments.firstFile) }
    app.pointer.on("shutdown") { [weak self] _ in self?.state.close() }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) } + [nil]
    defer { words.forEach { g_free($0) } }
    return words.withUnsafeMutableBufferPointer {
      g_application_run(app.pointer.cast(), Int32(arguments.count), $0.baseAddress)
    }
  }

  private func start() {
    loadStyleSheet()
    addActions()
    for (action, keys) in Shortcuts.keys { setKeys(keys, for: action) }
    Style(rawValue: state.preferences.style)?.apply()
    // The desktop ends programs like that: what was typed last is kept.
    for signal in [SIGTERM, SIGINT, SIGHUP] { MainLoop.on(signal: signal) { [weak self] in self?.quit() } }
  }

  private func quit() {
    if let window { window.close() } else { g_application_quit(app.pointer.cast()) }
  }

  private func present(_ path: FilePath?) {
    if let closing = window?.closing { return present(path, after: closing) }
    let window = window ?? makeWindow()
    if let path {
      window.open(path)
    } else if window.session == nil {
      window.openLastFolder()
    }
    window.present()
  }

  /// Two windows cannot observe one folder with one store: a new one waits until the last is closed.
  private func present(_ path: FilePath?, after closing: Task<Void, Never>) {
    g_application_hold(app.pointer.cast())
    Task {
      await closing.value
      window = nil
      present(path)
      g_application_release(app.pointer.cast())
    }
  }

  private func makeWindow() -> BrowserWindow {
    let window = BrowserWindow(in: application, state)
    self.window = window
    if measures { meter = FrameMeter(window.widget) }
    return window
  }
}

// MARK: - Actions and style

extension Application {
  private func addActions() {
    let actions = Actions(map: app.pointer)
    actions.add("quit") { [weak self] in self?.quit() }
    actions.add("about") { [weak self] in self?.showAbout() }
    actions.add("style", choice: state.preferences.style) { [weak self] choice in
      self?.state.preferences.style = choice
      Style(rawValue: choice)?.apply()
    }
  }

  private func setKeys(_ keys: [String], for action: String) {
    var words: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(g_strdup($0)) } + [nil]
    gtk_application_set_accels_for_action(application, action, &words)
    words.forEach { g_free(UnsafeMutablePointer(mutating: $0)) }
  }

  private func loadStyleSheet() {
    guard let display = gdk_display_get_default() else { return }
    let provider = Reference(taking: OpaquePointer(gtk_css_provider_new().cast(to: GObject.self)))
    let css = String(decoding: PackageResources.style_css, as: UTF8.self)
    gtk_css_provider_load_from_data(provider.pointer.cast(), css, gssize(css.utf8.count))
    gtk_style_context_add_provider_for_display(
      display, provider.pointer, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  }

  private func showAbout() {
    let about: Widget = adw_about_window_new()
    about.set("application-name", "Document Browser")
    about.set("application-icon", BrowserState.applicationID)
    about.set("developer-name", "The founders of FileSystemObservation")
    about.set("version", "0.1")
    about.set("license", "MIT License")
    about.set(
      "comments", "Labels, favourites and notes that stay on your documents, whatever other programs do to them.")
    gtk_window_set_transient_for(about.cast(), window?.widget.cast())
    gtk_window_present(about.cast())
  }
}

/// The colours of the program.
enum Style: String {
  case system, light, dark

  func apply() {
    let scheme =
      switch self {
      case .system: ADW_COLOR_SCHEME_DEFAULT
      case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
      case .dark: ADW_COLOR_SCHEME_FORCE_DARK
      }
    adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
  }
}

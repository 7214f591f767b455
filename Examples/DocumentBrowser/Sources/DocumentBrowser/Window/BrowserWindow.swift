import BrowserModel
import CAdwaita
import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// The window: which folder is open, what of it is shown, and what is done to its documents.
final class BrowserWindow {
  let layout = Layout(PackageResources.window_ui)
  let state: BrowserState
  let table: DocumentTable
  let filters: FilterPane
  let details: DetailsPane
  let activity: ActivityPane
  let banner: LimitBanner
  let operationBar: OperationBar
  let toasts: Toasts
  let undo = UndoStack()
  let limits = LimitWatch()
  let actions: Actions
  lazy var operations = FileOperations(self)
  lazy var rename = RenamePopover(self)
  lazy var pointer = PointerActions(self)

  /// The open folder.
  private(set) var session: FolderSession?
  /// The folder in the open one that is shown; `nil` for the open one itself.
  var place: UUID?
  var query = DocumentQuery()
  private var opening: Task<Void, Never>?
  /// Ends when the window is closed and its folder is no longer observed.
  private(set) var closing: Task<Void, Never>?
  private(set) var scan = ScanProgress()

  /// Makes the window.
  init(in application: UnsafeMutablePointer<GtkApplication>, _ state: BrowserState) {
    self.state = state
    actions = Actions(map: layout.object("window"))
    table = DocumentTable(state.annotations)
    filters = FilterPane(layout)
    details = DetailsPane(state.annotations, layout)
    activity = ActivityPane(layout)
    banner = LimitBanner(layout, limits)
    operationBar = OperationBar(layout)
    toasts = Toasts(layout.object("toasts"))
    gtk_window_set_application(widget.cast(), application)
    gtk_scrolled_window_set_child(layout.object("table-scroller"), table.view)
    build()
  }

  /// The `AdwApplicationWindow`.
  var widget: Widget { layout.widget("window") }

  /// Shows the window.
  func present() { gtk_window_present(widget.cast()) }

  /// Closes the window, which ends the program.
  func close() { gtk_window_close(widget.cast()) }

  private func build() {
    connectParts()
    connectModel()
    addActions()
    connectPanes()
    pointer.connect()
    restorePreferences()
    showPage("no-folder")
    noteSelection()
  }

  private func connectParts() {
    table.onSelect = { [weak self] in self?.noteSelection() }
    table.onOpen = { [weak self] in self?.open($0) }
    table.onCount = { [weak self] _ in self?.showCount() }
    table.columns.onSort = { [weak self] in self?.sort($0) }
    filters.onChoose = { [weak self] choice in self?.limit { $0.choice = choice } }
    details.onError = { [weak self] in self?.toasts.show($0) }
    details.onHistory = { [weak self] uuid in await self?.session?.history(of: uuid) ?? [] }
    activity.onChoose = { [weak self] in self?.reveal($0) }
  }

  private func connectModel() {
    state.annotations.onChange = { [weak self] uuids in self?.noteAnnotations(uuids) }
    state.onProblem = { [weak self] in self?.limits.take($0) }
    if let problem = state.problem { limits.take(problem) }
    undo.onChange = { [weak self] in
      guard let self else { return }
      actions.enable("undo", undo.canUndo)
    }
    widget.object.onAnswering("close-request") { [weak self] _ in
      self?.closeFolderAndQuit()
      return true
    }
  }

  /// What is noted is kept before the window goes.
  private func closeFolderAndQuit() {
    guard closing == nil else { return }
    details.keepNote()
    keepWindow()
    widget.isVisible = false
    closing = Task {
      await opening?.value
      await operationBar.cancel()
      await session?.stop()
      table.removePopovers()
      gtk_window_destroy(widget.cast())
    }
  }

  private func keepWindow() {
    var preferences = state.preferences
    preferences.isMaximised = gtk_window_is_maximized(widget.cast()) != 0
    var (width, height) = (Int32(0), Int32(0))
    gtk_window_get_default_size(widget.cast(), &width, &height)
    if width > 0, height > 0 { (preferences.windowWidth, preferences.windowHeight) = (Int(width), Int(height)) }
    state.preferences = preferences
  }
}

// MARK: - The folder

extension BrowserWindow {
  /// Opens the folder that was open last, wherever it is now.
  func openLastFolder() {
    guard let bookmark = state.preferences.lastFolder else { return }
    showPage("scanning")
    Task {
      do {
        open(try await bookmark.resolve(in: [.folder(bookmark.lastKnownPath.removingLastComponent())]).path)
      } catch {
        showPage("no-folder")
        toasts.show("The folder “\(bookmark.lastKnownPath.lastComponent?.string ?? "")” is not there any more")
      }
    }
  }

  /// Opens a folder in the place of the open one.
  func open(_ path: FilePath) {
    let former = session
    let before = opening
    showPage("scanning")
    opening = Task {
      await before?.value
      await former?.stop()
      begin(path)
      await start()
    }
  }

  private func begin(_ path: FilePath) {
    undo.removeAll()
    limits.removeAll()
    if let problem = state.problem { limits.take(problem) }
    place = nil
    table.show(nil)
    do {
      session = try FolderSession(path, state: state, limits: limits) { [weak self] in self?.take($0) }
      activity.show(session?.activity)
    } catch {
      session = nil
      activity.show(nil)
      showLoss(String(describing: error))
    }
  }

  private func start() async {
    guard let session else { return }
    scan = ScanProgress()
    showPage("scanning")
    do {
      try await session.start()
      guard session === self.session else { return }
      showList()
    } catch {
      guard session === self.session else { return }
      self.session = nil
      showLoss(error.message)
    }
  }

  private func take(_ event: FileSystemObserver.Event) {
    switch event {
    case .willBeginFullScan: scan = ScanProgress(isRunning: true)
    case .scanProgress(let progress): scan = ScanProgress(isRunning: true, itemCount: progress.itemCount)
    case .didCompleteFullScan:
      scan = ScanProgress()
      activity.showWhileAway()
      if activity.hasNewsOfAway { showActivity() }
    case .rootMoved: showCount()
    case .didEnd(let error): return showLoss(error.message)
    default: return
    }
    showScan()
    showCount()
  }

  private func showScan() {
    let progress = layout.widget("scan-progress")
    progress.isVisible = scan.isRunning && scan.itemCount > 0
    // A bar that pulses has frames drawn, even where it is hidden.
    if progress.isVisible { gtk_progress_bar_pulse(progress.opaque) } else { progress.set("fraction", 0.0) }
    let text = scan.itemCount > 0 ? "\(Wording.count(scan.itemCount, "item")) so far" : ""
    layout.object("scan-page").object.set("description", text)
  }

  /// Tells that there is nothing to show, and why.
  private func showLoss(_ message: String) {
    table.show(nil)
    layout.object("lost-page").object.set("description", message)
    showPage("lost")
  }
}

/// How far a scan has come.
struct ScanProgress {
  var isRunning = false
  var itemCount = 0
}

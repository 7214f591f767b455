import CAdwaita
import FileSystemObservation
import Foundation
import SystemPackage
import Testing

@testable import GtkListModel

/// The model is at each moment what GTK has been told, and its rows are those of the list in the end.
@MainActor @Suite(.serialized) struct FileListModelTests {
  @Test(arguments: [0, 3, FileListModel.gapLimit])
  func eachSignalTellsTheRowsAsTheyAreThen(gap: Int) async throws {
    let folder = try await OpenFolder(count: 80)
    folder.model.gap = gap
    let listener = Listener(folder.model)
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 1...40, using: &numbers) { try folder.changeSomething() }
      if Int.random(in: 0..<5) == 0 { folder.list.order = folder.list.order.reversed() }
      await folder.observer.synchronize()
      folder.list.update()
      #expect(listener.rows == folder.list.map(\.id))
      #expect(listener.problems == [])
    }
    #expect(listener.signalCount > 0)
  }

  @Test func manyChangesAreFewSignals() async throws {
    let folder = try await OpenFolder(count: 400)
    folder.model.gap = 0
    let listener = Listener(folder.model)
    // One update, in which rows that are not beside each other leave.
    folder.list.filter = { !$0.name.hasSuffix("3") && !$0.name.hasSuffix("7") }
    folder.list.update()
    #expect(folder.list.count == 320)
    #expect(listener.rows == folder.list.map(\.id))
    #expect(listener.problems == [] && 2...FileListModel.signalLimit ~= listener.signalCount)
  }

  @Test func aRowThatMovesKeepsItsObject() async throws {
    let folder = try await OpenFolder(count: 1_000)
    let object = g_list_model_get_item(folder.model.pointer, 5)
    let id = try #require(FileListModel.item(of: object)?.id)
    try folder.rename("5", to: "zz")
    await folder.observer.synchronize()
    folder.list.update()
    #expect(folder.list.index(of: id) == 999)
    let now = g_list_model_get_item(folder.model.pointer, 999)
    #expect(now == object && FileListModel.item(of: now)?.name == "zz")
    g_object_unref(object)
    g_object_unref(now)
  }

  @Test func selectedRowsRemainSelected() async throws {
    let folder = try await OpenFolder(count: 1_000)
    let selection: OpaquePointer = gtk_multi_selection_new(OpaquePointer(g_object_ref(folder.model.pointer.raw)))
    folder.model.selection = selection
    for row in [3, 500, 998] as [guint] { gtk_selection_model_select_item(selection, row, 0) }
    let names = [3, 500, 998].map { folder.list.snapshot(at: $0).name }
    try folder.rename(names[0], to: "zz")
    try folder.rename(names[2], to: "0-first")
    try folder.remove(names[1])
    await folder.observer.synchronize()
    folder.list.update()
    let selected = (0..<folder.list.count).filter { gtk_selection_model_is_selected(selection, guint($0)) != 0 }
    #expect(selected.map { folder.list.snapshot(at: $0).name } == ["0-first", "zz"])
    folder.model.selection = nil
    g_object_unref(selection.raw)
  }

  @Test func objectsLiveAsLongAsGTKHasThem() async throws {
    let folder = try await OpenFolder(count: 10)
    weak var item: FileSystemItem?
    let object = g_list_model_get_item(folder.model.pointer, 0)
    item = FileListModel.item(of: object)
    #expect(item != nil)
    g_object_unref(object)
    #expect(item == nil)
  }
}

/// A folder with files `0`, `1` and so on, its list and its model.
@MainActor private final class OpenFolder {
  let path: String
  let observer: FileSystemObserver
  let list: FileSystemItemList
  let model: FileListModel
  private var next: Int

  init(count: Int) async throws {
    let parent = ProcessInfo.processInfo.environment["FSO_TEST_DIR"] ?? "/var/tmp"
    path = parent + "/list-model-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for number in 0..<count { try Data().write(to: URL(filePath: path + "/\(number)")) }
    var configuration = FileSystemObserver.Configuration(directory: FilePath(path))
    (configuration.deletionDelay, configuration.quietPeriod) = (.milliseconds(20), .milliseconds(20))
    observer = FileSystemObserver(configuration)
    try await observer.start()
    await observer.synchronize()
    list = try #require(observer.itemList())
    model = FileListModel(list)
    next = count
  }

  isolated deinit {
    observer.stop()
    try? FileManager.default.removeItem(atPath: path)
  }

  func rename(_ name: String, to newName: String) throws {
    try FileManager.default.moveItem(atPath: path + "/" + name, toPath: path + "/" + newName)
  }

  func remove(_ name: String) throws { try observer.removeItem(at: FilePath(path + "/" + name)) }

  /// Renames, adds or removes a file.
  func changeSomething() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
    next += 1
    switch (Int.random(in: 0..<4), names.randomElement()) {
    case (0, _), (_, nil): try Data().write(to: URL(filePath: path + "/\(next)"))
    case (1, let name?): try remove(name)
    case (_, let name?): try rename(name, to: "\(Int.random(in: 0..<1_000))-\(next)")
    }
  }
}

/// What GTK would know: the rows as the signals tell them.
@MainActor private final class Listener {
  private(set) var rows: [FileSystemItem.ID?]
  private(set) var problems: [String] = []
  private(set) var signalCount = 0
  private let model: FileListModel
  private var connection: gulong = 0

  init(_ model: FileListModel) {
    self.model = model
    rows = []
    rows = known
    let callback: @convention(c) (OpaquePointer?, guint, guint, guint, gpointer?) -> Void = {
      _, position, removed, added, listener in
      guard let address = listener.map({ UInt(bitPattern: $0) }) else { return }
      MainActor.assumeIsolated {
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
        Unmanaged<Listener>.fromOpaque(pointer).takeUnretainedValue()
          .note(Int(position), Int(removed), Int(added))
      }
    }
    connection = g_signal_connect_data(
      model.pointer.raw, "items-changed", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  isolated deinit { g_signal_handler_disconnect(model.pointer.raw, connection) }

  /// What the model says now; `nil` for a row that is about to be removed.
  private var known: [FileSystemItem.ID?] {
    (0..<g_list_model_get_n_items(model.pointer)).map { index in
      let object = g_list_model_get_item(model.pointer, index)
      defer { g_object_unref(object) }
      return FileListModel.item(of: object)?.id
    }
  }

  private func note(_ position: Int, _ removed: Int, _ added: Int) {
    signalCount += 1
    let now = known
    let expected = Array(rows[..<position]) + now[position..<position + added] + rows[(position + removed)...]
    if expected.count != now.count { problems.append("\(now.count) rows instead of \(expected.count)") }
    // Rows that no signal was about are as they were, or their removal is still to be told.
    for (new, old) in zip(now, expected) where new != nil && new != old { problems.append("another row") }
    if now[position..<position + added].contains(nil) { problems.append("a row that is gone was added") }
    rows = expected
  }
}

extension OpaquePointer {
  fileprivate var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

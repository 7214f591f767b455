// A `GListModel` of documents, for `GtkColumnView`, `GtkListView` and `GtkGridView`.
//
// Any program with GTK 4 may take this file. It needs the product `FileSystemObservation`, a main queue that the main
// loop runs (`GLibMainLoop.attachMainQueue()` of `ObservationGLib`), and a module with the headers of GTK.
import CAdwaita
public import FileSystemObservation

/// A `GListModel` on a live list: the rows of a table of files, always as they are on disk.
///
/// ```swift
/// let model = FileListModel(list)
/// model.selection = gtk_multi_selection_new(g_object_ref(model.pointer))
/// model.onModify = { item in cells[item.id]?.draw(item) }
/// ```
///
/// - An object for a row is made when GTK asks for it, and lives for as long as GTK has it. So the number of rows
///   hardly matters.
/// - A row that moves keeps its object, and remains selected.
/// - What changed together is announced together: at most ``signalLimit`` times `items-changed` for any number of
///   changes. Rows between two changes may then be announced as removed and added, with the same objects, of which GTK
///   makes nothing new.
/// - Between two of these signals the model is what GTK has been told so far, although the list is ahead of it.
///
/// Keep the model for as long as a widget shows it.
@MainActor public final class FileListModel {
  /// The largest number of `items-changed` for one update.
  public nonisolated static let signalLimit = 64
  /// Changes with no more rows than this between them are announced as one.
  ///
  /// GTK keeps the widget, the keyboard focus and the scroll position of a row that is removed and added in one signal.
  public nonisolated static let gapLimit = 128

  /// The list, which the model keeps up to date.
  public let list: FileSystemItemList
  /// The `GListModel`, to which the Swift object has a reference.
  public let pointer: OpaquePointer
  /// A `GtkSelectionModel` on the model, whose selected rows remain selected when they move.
  public var selection: OpaquePointer?
  /// Whether the model announces changes now: a selection that changes meanwhile is not a choice of the user.
  public private(set) var isUpdating = false
  /// Called after each update, when GTK and the selection are up to date.
  public var onChange: (@MainActor (FileSystemItemList.Changes) -> Void)?
  /// Called with the item of each row that GTK has and that must be drawn again.
  public var onModify: (@MainActor (FileSystemItem) -> Void)?

  /// The gap in force; tests announce each change for itself.
  var gap = FileListModel.gapLimit
  private var token: NotificationToken?
  private var rows: [FileSystemItem.ID: UnsafeMutablePointer<GObject>] = [:]
  private var count: Int
  private var transition: Transition?

  /// Makes a model of a list on the main actor.
  public init(_ list: FileSystemItemList) {
    self.list = list
    count = list.count
    pointer = OpaquePointer(makeObject(modelType))
    g_object_set_qdata(pointer.object, ownerKey, Unmanaged.passUnretained(self).toOpaque())
    token = list.addNotificationBlock { [weak self] _, changes in self?.apply(changes) }
  }

  isolated deinit {
    token?.invalidate()
    g_object_set_qdata(pointer.object, ownerKey, nil)
    g_object_unref(pointer.object)
  }

  /// The item of a row's object, such as that of `gtk_list_item_get_item`.
  public static func item(of row: UnsafeMutableRawPointer?) -> FileSystemItem? {
    row.flatMap { Row.of($0)?.item }
  }

  // MARK: - Rows

  fileprivate var rowCount: Int { transition?.count ?? count }

  /// A reference to the object of a row.
  fileprivate func object(at position: Int) -> UnsafeMutablePointer<GObject>? {
    guard position < rowCount else { return nil }
    // A row that is gone from the list, and whose removal GTK is about to be told: nobody will see it.
    guard let index = transition.map({ $0.index(at: position) }) ?? position else { return makeObject(rowType) }
    let item = list[index]
    if let known = rows[item.id] { return g_object_ref(known)?.assumingMemoryBound(to: GObject.self) }
    let object = makeObject(rowType)
    let row = Unmanaged.passRetained(Row(item, of: self))
    g_object_set_qdata_full(object, ownerKey, row.toOpaque()) { row in
      if let row { Unmanaged<Row>.fromOpaque(row).release() }
    }
    rows[item.id] = object
    return object
  }

  fileprivate func forget(_ id: FileSystemItem.ID) { rows[id] = nil }

  // MARK: - Changes

  private func apply(_ changes: FileSystemItemList.Changes) {
    let whole = Transition(changes, from: count)
    let splices = whole.splices(gap: gap, atMost: Self.signalLimit)
    // The list is ahead already, and GTK has been told nothing: it may ask for rows when the selection changes.
    transition = whole
    isUpdating = true
    keepingSelection(whole, splices) { announce(whole, splices) }
    isUpdating = false
    if let onModify { modifiedItems(changes).forEach { onModify($0) } }
    onChange?(changes)
  }

  private func announce(_ whole: Transition, _ splices: [Transition.Splice]) {
    let moving = rows.values.map { g_object_ref($0) }
    var step = whole
    for splice in splices {
      step.advance(over: splice)
      transition = step
      g_list_model_items_changed(
        pointer, guint(splice.new.lowerBound), guint(splice.old.count), guint(splice.new.count))
    }
    transition = nil
    count = list.count
    moving.forEach { g_object_unref($0) }
  }

  /// The items that have changed among those of which GTK has the rows.
  private func modifiedItems(_ changes: FileSystemItemList.Changes) -> [FileSystemItem] {
    let modified = Set(changes.modifications)
    let items = modified.isEmpty ? [] : rows.values.compactMap { Row.of($0)?.item }
    return items.filter { list.index(of: $0.id).map { modified.contains($0) } ?? false }
  }

  /// GTK forgets that a row is selected when it is removed in one signal and added in another; and to find it again in
  /// the same signal, it asks for all rows of that.
  private func keepingSelection(
    _ transition: Transition, _ splices: [Transition.Splice], _ body: () -> Void
  ) {
    guard let selection, case let selected = indices(selectedIn: selection),
      selected.contains(where: { index in splices.contains { $0.old.contains(index) } })
    else { return body() }
    gtk_selection_model_unselect_all(selection)
    body()
    let kept = gtk_bitset_new_empty()
    let all = gtk_bitset_new_range(0, guint(count))
    for index in selected.compactMap({ transition.newIndex(of: $0) }) { gtk_bitset_add(kept, guint(index)) }
    gtk_selection_model_set_selection(selection, kept, all)
    gtk_bitset_unref(kept)
    gtk_bitset_unref(all)
  }

  private func indices(selectedIn selection: OpaquePointer) -> [Int] {
    let selected = gtk_selection_model_get_selection(selection)
    defer { gtk_bitset_unref(selected) }
    return (0..<gtk_bitset_get_size(selected)).map { Int(gtk_bitset_get_nth(selected, guint($0))) }
  }
}

// MARK: - From the rows before to the rows after

/// An update of the rows, of which GTK has been told a part, from the first row on.
struct Transition {
  /// Consecutive rows before an update that are replaced by consecutive rows after it.
  struct Splice: Equatable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// The indices before of all rows that leave their place, and the indices after of all that have another.
  private let leaving: [Int]
  private let arriving: [Int]
  private let moves: [Int: Int]
  private let oldCount: Int
  /// The rows before these indices are those after the update; the others are those before it.
  private var announced = Splice(old: 0..<0, new: 0..<0)

  init(_ changes: FileSystemItemList.Changes, from count: Int) {
    leaving = (changes.deletions + changes.moves.map(\.from)).sorted()
    arriving = (changes.insertions + changes.moves.map(\.to)).sorted()
    moves = Dictionary(changes.moves.map { ($0.from, $0.to) }) { first, _ in first }
    oldCount = count
  }

  /// The number of rows of which GTK knows.
  var count: Int { announced.new.upperBound + oldCount - announced.old.upperBound }

  mutating func advance(over splice: Splice) { announced = splice }

  /// The index after the update of a row of which GTK knows; `nil` if it is gone.
  func index(at position: Int) -> Int? {
    let end = announced.new.upperBound
    return position < end ? position : newIndex(of: position - end + announced.old.upperBound)
  }

  /// The index after the update of a row before it; `nil` if it is gone.
  func newIndex(of old: Int) -> Int? {
    let before = leaving.countSorted(below: old)
    if before < leaving.count, leaving[before] == old { return moves[old] }
    let rank = old - before
    return rank + arriving.countSorted { arriving[$0] - $0 <= rank }
  }

  /// The replacements in ascending order, few enough to announce each.
  ///
  /// What leaves and what arrives between the same two rows that stay is one replacement, and so are two with no more
  /// rows between them than the gap.
  func splices(gap: Int, atMost limit: Int) -> [Splice] {
    var splices: [Splice] = []
    var (left, arrived) = (0, 0)
    while left < leaving.count || arrived < arriving.count {
      let rank = min(
        left < leaving.count ? leaving[left] - left : .max,
        arrived < arriving.count ? arriving[arrived] - arrived : .max)
      var splice = Splice(old: rank + left..<rank + left, new: rank + arrived..<rank + arrived)
      if let last = splices.last, splice.old.lowerBound - last.old.upperBound <= gap { splice = splices.removeLast() }
      while left < leaving.count, leaving[left] - left == rank { left += 1 }
      while arrived < arriving.count, arriving[arrived] - arrived == rank { arrived += 1 }
      splices.append(
        Splice(old: splice.old.lowerBound..<rank + left, new: splice.new.lowerBound..<rank + arrived))
    }
    return splices.count > limit ? self.splices(gap: max(1, gap) * 4, atMost: limit) : splices
  }
}

extension [Int] {
  /// The number of elements at the beginning that a condition holds for; it holds for none after the first without.
  fileprivate func countSorted(while holds: (Index) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate func countSorted(below value: Int) -> Int { countSorted { self[$0] < value } }
}

// MARK: - Objects of GObject

/// What the object of a row has.
@MainActor private final class Row {
  let item: FileSystemItem
  private weak let model: FileListModel?

  init(_ item: FileSystemItem, of model: FileListModel) {
    self.item = item
    self.model = model
  }

  isolated deinit { model?.forget(item.id) }

  static func of(_ object: UnsafeMutableRawPointer) -> Row? {
    g_object_get_qdata(object.assumingMemoryBound(to: GObject.self), ownerKey)
      .map { Unmanaged<Row>.fromOpaque($0).takeUnretainedValue() }
  }
}

private let ownerKey = g_quark_from_static_string("file-list-model-owner")
private let rowType = makeType("FileListRow")

/// The type of the model, whose interface calls the Swift object.
private let modelType: GType = {
  let type = makeType("FileListModel")
  var interface = GInterfaceInfo(
    interface_init: { table, _ in
      let table = table?.assumingMemoryBound(to: GListModelInterface.self)
      table?.pointee.get_item_type = { _ in rowType }
      table?.pointee.get_n_items = { pointer in guint(withModel(pointer) { UInt($0.rowCount) } ?? 0) }
      table?.pointee.get_item = { pointer, position in
        UnsafeMutableRawPointer(
          bitPattern: withModel(pointer) { UInt(bitPattern: $0.object(at: Int(position))) } ?? 0)
      }
    }, interface_finalize: nil, interface_data: nil)
  g_type_add_interface_static(type, g_list_model_get_type(), &interface)
  return type
}()

private func makeType(_ name: StaticString) -> GType {
  g_type_register_static_simple(
    g_object_get_type(), UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
    guint(MemoryLayout<GObjectClass>.size), nil, guint(MemoryLayout<GObject>.size), nil, GTypeFlags(rawValue: 0))
}

private func makeObject(_ type: GType) -> UnsafeMutablePointer<GObject> {
  g_object_new_with_properties(type, 0, nil, nil)
}

/// GTK calls a model on the main thread only.
private func withModel(_ pointer: OpaquePointer?, _ body: @MainActor (FileListModel) -> UInt) -> UInt? {
  guard let owner = pointer.flatMap({ g_object_get_qdata($0.object, ownerKey) }) else { return nil }
  let address = UInt(bitPattern: owner)
  return MainActor.assumeIsolated {
    UnsafeRawPointer(bitPattern: address).map {
      body(Unmanaged<FileListModel>.fromOpaque($0).takeUnretainedValue())
    }
  }
}

extension OpaquePointer {
  fileprivate var object: UnsafeMutablePointer<GObject> { UnsafeMutablePointer(self) }
}

public import FileSystemObservation
internal import Foundation

/// What a person has chosen, and how the window was.
public struct Preferences: Sendable, Hashable {
  /// The folder that was open last, which is found again after it was renamed or moved.
  public var lastFolder: FileBookmark?
  /// The order of the rows.
  public var order = SortOrder()
  /// Whether the list has the documents of the folders below, too.
  public var showsSubfolders = true
  /// Whether the pane with what happened is shown.
  public var showsActivity = false
  /// Whether the sidebar is shown.
  public var showsSidebar = true
  /// The colours: `system`, `light` or `dark`.
  public var style = "system"
  /// The width of the window, in pixels of the application.
  public var windowWidth = 1180
  /// The height of the window, in pixels of the application.
  public var windowHeight = 740
  /// Whether the window is maximised.
  public var isMaximised = false

  /// Makes the preferences of an app that runs for the first time.
  public init() {}
}

/// The order of the rows of the list, as a person chooses it.
public struct SortOrder: Sendable, Hashable, Codable {
  /// What rows are compared by.
  public enum Property: String, Sendable, Hashable, Codable, CaseIterable {
    /// The name, numbers by their value.
    case name
    /// The kind.
    case kind
    /// The size.
    case size
    /// The time of the last modification.
    case modified
    /// The label, in the order of the colours; documents without one are the last.
    case label
  }

  /// What rows are compared by.
  public var property: Property
  /// Whether the last comes first.
  public var isReversed: Bool

  /// Makes an order.
  public init(by property: Property = .name, isReversed: Bool = false) {
    self.property = property
    self.isReversed = isReversed
  }

  /// The order for a list on the main actor: folders come first.
  ///
  /// - Parameter annotations: What is noted of the documents. When some of it has changed, the list reloads these.
  public func order(_ annotations: Annotations) -> FileSystemItemList.Order {
    let order: FileSystemItemList.Order =
      switch property {
      case .name: .name
      case .kind: .kind
      case .size: .size
      case .modified: .modificationDate
      case .label: .number { uuid in MainActor.assumeIsolated { annotations[uuid].rank } }
      }
    return (isReversed ? order.reversed() : order).foldersFirst()
  }
}

extension Annotation {
  /// The place of the label among the colours.
  fileprivate var rank: Double {
    label.flatMap { ColourLabel.allCases.firstIndex(of: $0) }.map { Double($0) } ?? .infinity
  }
}

// MARK: - As it is kept

extension Preferences {
  /// Makes preferences from what was kept; what is missing or cannot be read is as in the first run.
  init(_ values: [String: Data]) {
    self.init()
    func read<Value: Decodable>(_ key: String, _ value: inout Value) {
      if let kept = values[key].flatMap({ try? JSONDecoder().decode(Value.self, from: $0) }) { value = kept }
    }
    lastFolder = values["lastFolder"].flatMap { try? JSONDecoder().decode(FileBookmark.self, from: $0) }
    read("order", &order)
    read("showsSubfolders", &showsSubfolders)
    read("showsActivity", &showsActivity)
    read("showsSidebar", &showsSidebar)
    read("style", &style)
    read("windowWidth", &windowWidth)
    read("windowHeight", &windowHeight)
    read("isMaximised", &isMaximised)
  }

  /// The preferences as they are kept; `nil` for what is not set.
  var values: [String: Data?] {
    func encode(_ value: some Encodable) -> Data? { try? JSONEncoder().encode(value) }
    return [
      "lastFolder": lastFolder.flatMap { encode($0) }, "order": encode(order),
      "showsSubfolders": encode(showsSubfolders), "showsActivity": encode(showsActivity),
      "showsSidebar": encode(showsSidebar), "style": encode(style), "windowWidth": encode(windowWidth),
      "windowHeight": encode(windowHeight),
      "isMaximised": encode(isMaximised),
    ]
  }
}

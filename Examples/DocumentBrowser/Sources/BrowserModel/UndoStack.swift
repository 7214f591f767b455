/// What can be undone, the last first.
///
/// One action is undone at a time: while that runs, another call does nothing.
@MainActor public final class UndoStack {
  /// An action of the app that can be undone.
  private struct Action {
    let title: String
    let undo: @MainActor () async throws -> Void
  }

  /// Called when ``title`` or ``canUndo`` has changed.
  public var onChange: (() -> Void)?

  private var actions: [Action] = []
  private var isUndoing = false
  private let limit: Int

  /// Makes an empty stack.
  ///
  /// - Parameter limit: How many actions are remembered; of more, the oldest are forgotten.
  public init(limit: Int = 50) { self.limit = limit }

  /// What the next ``undo()`` takes back, for example `Move to Trash`; `nil` if there is nothing.
  public var title: String? { actions.last?.title }

  /// Whether there is something to undo, and nothing is being undone.
  public var canUndo: Bool { !actions.isEmpty && !isUndoing }

  /// Remembers an action.
  ///
  /// - Parameters:
  ///   - title: What it was, for example `Rename`.
  ///   - undo: Takes it back.
  public func push(title: String, undo: @escaping @MainActor () async throws -> Void) {
    actions.append(Action(title: title, undo: undo))
    if actions.count > limit { actions.removeFirst() }
    onChange?()
  }

  /// Takes the last action back.
  ///
  /// - Returns: The title of the action; `nil` if there was none, or another is being undone.
  /// - Throws: What its function throws. The action is forgotten then, too: it would fail again.
  @discardableResult
  public func undo() async throws -> String? {
    guard canUndo, let action = actions.popLast() else { return nil }
    isUndoing = true
    onChange?()
    defer {
      isUndoing = false
      onChange?()
    }
    try await action.undo()
    return action.title
  }

  /// Forgets everything, for example because another folder was opened.
  public func removeAll() {
    actions = []
    onChange?()
  }
}

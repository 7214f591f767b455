import BrowserModel
import Testing

@MainActor @Suite struct UndoStackTests {
  private struct Failure: Error {}

  @Test func undoesTheLastFirst() async throws {
    let stack = UndoStack()
    var undone: [Int] = []
    stack.push(title: "Rename") { undone.append(1) }
    stack.push(title: "Move to Trash") { undone.append(2) }
    #expect(stack.title == "Move to Trash")
    #expect(try await stack.undo() == "Move to Trash")
    #expect(try await stack.undo() == "Rename")
    #expect(try await stack.undo() == nil)
    #expect(undone == [2, 1])
  }

  @Test func forgetsWhatFails() async throws {
    let stack = UndoStack()
    stack.push(title: "Rename") { throw Failure() }
    await #expect(throws: Failure.self) { try await stack.undo() }
    #expect(stack.title == nil && !stack.canUndo)
  }

  @Test func undoesOneAtATime() async throws {
    let stack = UndoStack()
    stack.push(title: "Rename") {}
    stack.push(title: "Duplicate") {
      let title = try await stack.undo()
      #expect(title == nil)
    }
    #expect(try await stack.undo() == "Duplicate")
    #expect(stack.title == "Rename")
  }

  @Test func forgetsTheOldest() {
    let stack = UndoStack(limit: 2)
    for number in 1...3 { stack.push(title: "\(number)") {} }
    #expect(stack.title == "3")
    stack.removeAll()
    #expect(!stack.canUndo)
  }
}

import CTestSystem
import FileIdentity
import FileSystemObservation
import Glibc
import SystemPackage

/// Kills an operation at each of its system calls, one after the other, and looks at what is there then,
/// and after what was left has been removed.
///
/// It has one thread only, so that it can be forked. It prints a line for each state that may not be, and at last how
/// many system calls the operation was killed at.
@main struct DocumentProgram {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let operation = Operation.all.first(where: { $0.name == arguments[1] }) else {
      print("usage: DocumentProgram OPERATION FOLDER OTHER-FOLDER")
      exit(2)
    }
    try Killing(operation, Scene(folder: FilePath(arguments[2]), other: FilePath(arguments[3]))).run()
  }
}

/// The killings of one operation.
struct Killing {
  private let operation: Operation
  private let scene: Scene
  private let operations = DocumentOperations(tag: FileTag())
  private let permitted: [SceneState]

  init(_ operation: Operation, _ scene: Scene) throws {
    self.operation = operation
    self.scene = scene
    try scene.prepare()
    let item = try operation.prepare(operations, scene)
    let old = try SceneState(of: scene)
    try operation.run(operations, scene, item)
    permitted = operation.permitted(from: old, to: try SceneState(of: scene))
  }

  func run() throws {
    var seen = [Int](repeating: 0, count: permitted.count)
    for call in 1... {
      guard try kill(at: Int64(call)) else {
        print("\(operation.name): killed at \(call - 1) system calls, states \(seen)")
        return
      }
      let state = try SceneState(of: scene)
      if let index = permitted.firstIndex(of: state) {
        seen[index] += 1
      } else {
        print("forbidden: \(operation.name) killed at system call \(call): \(state.differences(from: permitted[0]))")
      }
      try clear(state, call)
    }
  }

  /// Removes what the operation has left: nothing but hidden items may go, and only a save keeps some.
  private func clear(_ state: SceneState, _ call: Int) throws {
    let leftovers = LeftoverRemoval.run(below: [scene.folder, scene.other], unchangedFor: 0)
    let hidden = try [scene.folder, scene.other].flatMap { folder in
      try Scene.names(in: folder).filter { $0.hasPrefix(".fsobserver-") }
    }
    let kept = leftovers.kept.compactMap { $0.lastComponent?.string }
    if try SceneState(of: scene) != state || hidden != kept || !leftovers.problems.isEmpty
      || !kept.isEmpty && operation.name != "save"
    {
      print("forbidden: \(operation.name) killed at system call \(call) leaves \(hidden): \(leftovers)")
    }
  }

  /// Runs the operation in a child, and kills it when it begins a system call.
  ///
  /// - Returns: Whether it was killed; otherwise it had ended before.
  private func kill(at call: Int64) throws -> Bool {
    try scene.prepare()
    let item = try operation.prepare(operations, scene)
    let child = ctest_fork_traced()
    if child == 0 {
      let isDone = (try? operation.run(operations, scene, item)) != nil
      _exit(isDone ? 0 : 1)
    }
    var status: CInt = 0
    guard unsafe ctest_kill_at_call(child, call, &status) >= 0 else {
      print("not traced: \(Errno(rawValue: errno))")
      exit(3)
    }
    if status & 0x7f != 0 { return true }
    if status != 0 {
      print("forbidden: \(operation.name) failed with status \(status >> 8)")
      exit(1)
    }
    return false
  }
}

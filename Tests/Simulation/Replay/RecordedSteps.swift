import LinuxFileSystem

/// The steps of a recording, which are begun one after the other.
final class RecordedSteps {
  private let world: RecordedWorld
  /// The steps that have not begun.
  private(set) var rest: ArraySlice<FlightText.Step>
  /// The step that has begun last.
  private(set) var current: FlightText.Step?

  init(_ steps: ArraySlice<FlightText.Step>, _ world: RecordedWorld) {
    (rest, self.world) = (steps, world)
  }

  func beginNext() -> FlightText.Step? {
    guard let step = rest.popFirst() else { return nil }
    current = step
    world.begin(step)
    return step
  }

  /// Begins the next step if it belongs to the operation that is repeated now.
  func beginNextDuringOperation(isCommitted: Bool) -> FlightText.Step? {
    guard let current, !(isCommitted ? current.operation("ended") != nil : current.commits) else { return nil }
    guard let next = rest.first, ["hints", "rescan"].contains(next.begin["kind"]) else { return nil }
    return beginNext()
  }

  func putBack(_ step: FlightText.Step) { rest = [step] + rest }

  /// The time that the operation read next.
  var clock: MonotonicTime {
    let recorded: Int64? = world.answer("clock")?.optional("value")
    return MonotonicTime(nanoseconds: recorded ?? current?.begin.number("at") ?? 0)
  }
}

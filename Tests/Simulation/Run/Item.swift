package import SystemPackage

/// What happens while an observer works: at which of its calls, and what.
package struct Disturbance: Sendable, Codable {
  package enum Kind: Sendable, Codable {
    /// Somebody else does a step.
    case step(process: Int, interrupted: Bool)
    /// The call fails.
    case fault(Errno)
  }

  package var call: Int
  package var kind: Kind

  var isFault: Bool {
    if case .fault = kind { true } else { false }
  }
}

/// One item of a run.
///
/// The list of them is the whole run: nothing else decides what happens, so that it can be repeated, and shortened.
package enum Item: Sendable, Codable {
  /// A program starts.
  case start(Operation)
  /// A program does its next step.
  case step(Int, interrupted: Bool)
  case pass(Int64)
  /// An observer begins, and scans.
  case begin(Int, [Disturbance])
  /// An observer is killed.
  case kill(Int)
  /// An observer takes so many events.
  case deliver(Int, Int, [Disturbance])
  /// An observer does the next step of a program: its app has asked for it.
  case operate(Int, process: Int, [Disturbance])
  /// An observer does what is due.
  case advance(Int, [Disturbance])
  /// All programs end, everything is delivered, all windows pass; then what is told must be what is.
  case settle(forgets: Bool)
}

extension Item {
  /// The same with other disturbances, where it can have any.
  func disturbed(by plan: [Disturbance]) -> Item {
    switch self {
    case .begin(let observer, _): .begin(observer, plan)
    case .deliver(let observer, let count, _): .deliver(observer, count, plan)
    case .operate(let observer, let process, _): .operate(observer, process: process, plan)
    case .advance(let observer, _): .advance(observer, plan)
    case .start, .step, .pass, .kill, .settle: self
    }
  }

  var plan: [Disturbance] {
    switch self {
    case .begin(_, let plan), .deliver(_, _, let plan), .operate(_, _, let plan), .advance(_, let plan): plan
    case .start, .step, .pass, .kill, .settle: []
    }
  }
}

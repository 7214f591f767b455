import LinuxFileSystem

/// Where the hints of several sources come together: they are numbered anew, in the order in which they come.
final class HintOutlet: Sendable {
  private let delivery = Mutex(HintDelivery())

  func deliver(to handler: @escaping @Sendable (HintBatch) -> Void) {
    delivery.withLock { $0.handler = handler }
  }

  var delivered: UInt64 { delivery.withLock { $0.count } }

  func put(_ told: HintBatch) {
    delivery.withLock { $0.deliver(told) }
  }
}

import Foundation
import ObservationCompatibility
import Testing

/// The template for monitors of an app.
@Suite(.timeLimit(.minutes(10))) struct MonitorTests {
  private final class Template: BaseMonitor {
    private let log: Log<String>
    private let name = "template"

    init(_ log: Log<String>) {
      self.log = log
    }

    override func configureMonitor() {
      super.configureMonitor()
      log.append("configure \(name)")
    }

    override func cleanupMonitor() {
      log.append("cleanup \(name)")
      super.cleanupMonitor()
    }
  }

  private final class NotificationMonitor: BaseNotificationMonitor {
    private let log: Log<String>

    init(_ log: Log<String>, queue: OperationQueue) {
      self.log = log
      super.init(queue: queue)
    }

    override func addNotificationObservers() {
      super.addNotificationObservers()
      observe(Self.name) { [log] notification in log.append(notification.object as? String ?? "") }
    }

    static let name = Notification.Name("MonitorTests")
  }

  @Test func itIsConfiguredOnceForEachStart() {
    let log = Log<String>()
    let monitor = Template(log)
    #expect(!monitor.isMonitoring)
    for _ in 0..<2 { monitor.startMonitoring() }
    #expect(monitor.isMonitoring && log.entries == ["configure template"])
    for _ in 0..<2 { monitor.stopMonitoring() }
    #expect(!monitor.isMonitoring && log.entries == ["configure template", "cleanup template"])
  }

  @Test func whatIsDroppedIsStopped() {
    let log = Log<String>()
    func use() {
      let monitor = Template(log)
      monitor.startMonitoring()
    }
    use()
    #expect(log.entries == ["configure template", "cleanup template"])
  }

  @Test func monitorsOfAnyKindAreInOneArray() {
    let log = Log<String>()
    let monitors: [any Monitor] = [
      Template(log), NotificationMonitor(log, queue: .main),
      FileSystemObjectMonitor(fileURL: URL(filePath: "/")) { _ in },
    ]
    for monitor in monitors { monitor.startMonitoring() }
    #expect(monitors.map(\.isMonitoring) == [true, true, true])
    for monitor in monitors { monitor.stopMonitoring() }
    #expect(monitors.map(\.isMonitoring) == [false, false, false])
  }

  @Test func notificationsAreMonitoredFromStartToStop() async {
    let log = Log<String>()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let monitor = NotificationMonitor(log, queue: queue)
    let name = NotificationMonitor.name
    NotificationCenter.default.post(name: name, object: "before")
    monitor.startMonitoring()
    NotificationCenter.default.post(name: name, object: "first")
    NotificationCenter.default.post(name: name, object: "second")
    #expect(await log.gets("second"))
    monitor.stopMonitoring()
    NotificationCenter.default.post(name: name, object: "after")
    monitor.startMonitoring()
    NotificationCenter.default.post(name: name, object: "third")
    #expect(await log.gets("third"))
    #expect(log.entries == ["first", "second", "third"])
  }
}

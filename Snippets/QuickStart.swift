import FileSystemObservation

@main struct QuickStart {
  static func main() async throws {
    let observer = FileSystemObserver(directory: "/home/me/Documents")
    do { try await observer.start() } catch { return print(error) }
    for try await event in observer.events() {
      switch event {
      case .didCompleteFullScan(let summary): print("Ready: \(summary.itemCount) items. Now change something …")
      case .didChange(let changes): for change in changes { print(change) }
      default: break
      }
    }
  }
}

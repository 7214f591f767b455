import FileSystemObservation
import Synchronization
import SystemPackage

/// The file with the recordings of all observers, one after the other.
final class RecordingFile: Sendable {
  private let path: FilePath
  private let hidesNames: Bool
  private let observers = Mutex<[Int: FileSystemObserver]>([:])

  /// Makes the file, empty, so that a mistake in its path is reported before anything else happens.
  ///
  /// Only its owner may read it.
  init(_ path: FilePath, hidingNames: Bool) throws(CommandFailure) {
    self.path = path
    hidesNames = hidingNames
    try write([])
  }

  /// Adds an observer, in place of an earlier one with its number.
  func insert(_ observer: FileSystemObserver, _ number: Int) { observers.withLock { $0[number] = observer } }

  /// Writes the recordings, in place of earlier ones.
  func write() throws(CommandFailure) {
    let all = observers.withLock { observers in observers.sorted { $0.key < $1.key }.map(\.value) }
    try write(all.map { $0.flightRecording(hidingNames: hidesNames) })
  }

  /// The same, where nothing else is to end if that fails.
  func save() {
    do {
      try write()
    } catch {
      Console().complain(error.message)
    }
  }

  private func write(_ texts: [String]) throws(CommandFailure) {
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
      try file.closeAfter { for text in texts { _ = try file.writeAll(text.utf8) } }
    } catch {
      let reason = (error as? Errno).map { "\($0)" } ?? "\(error)"
      throw CommandFailure(
        "cannot write the recording to \(path.printable): \(reason); name a file that you may write, "
          + "in a folder that is there")
    }
  }
}

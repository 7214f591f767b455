import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Questions of the engine, which the flight recorder notes with the answers.

extension Engine {
  /// The number of hints that the source has delivered.
  var deliveredCount: UInt64 {
    let count = source.delivered
    recorder?.noteAnswer(.delivered, count)
    return count
  }

  /// Whether hints of a directory have been delivered, but not handled.
  func awaitsHints(of mark: MarkID) -> Bool {
    let isPending = hasPendingHints(mark)
    recorder?.noteAnswer(.pending, isPending ? 1 : 0)
    return isPending
  }

  /// Whether the source has the hints of everything that was seen in a directory.
  func passBarrier(in directory: NodeID) -> Bool {
    guard let handle = self.directory(directory) else { return false }
    let isOrdered = files.passBarrier(in: handle)
    recorder?.noteAnswer(.ordered, isOrdered ? 1 : 0)
    return isOrdered
  }

  /// The number of the hint up to which everything before a moment has been reported.
  func horizon(since moment: MonotonicTime) -> UInt64? {
    let horizon = source.horizon(since: moment)
    recorder?.noteAnswer(.horizon, horizon)
    return horizon
  }

  func note(_ probe: Probe, at place: Place, _ cause: LookReason) {
    guard let recorder else { return }
    let result: FlightRecord.Result =
      switch probe {
      case .entry: .entry
      case .absent: .absent
      case .unreachable: .unreachable
      case .failed: .failed
      }
    recorder.noteLook(result, probe.entry, at: place, inode: inode(of: place.parent), cause)
  }

  func noteOpen(_ key: FileKey?, _ id: NodeID, _ name: FileName) {
    let parent = state.classify { $0.graph[id].parent }
    recorder?.noteOpen(key, id, named: name, in: inode(of: parent))
  }

  func note(_ outcome: TagWriting, _ uuid: UUIDBits, of id: NodeID, at place: Place) {
    let reason: DecisionReason =
      switch outcome {
      case .written: .tagWritten
      case .notWritten: .tagNotWritten
      case .spared: .tagSpared
      }
    recorder?.noteTag(reason, uuid, of: id, at: place, inode: inode(of: place.parent))
  }

  /// A time that was read during an operation of this process.
  func recorded(_ time: MonotonicTime) -> MonotonicTime {
    recorder?.noteAnswer(.clock, UInt64(bitPattern: time.nanoseconds))
    return time
  }

  /// Makes the system calls of an operation.
  func recorded(_ commit: () throws(Errno) -> CommittedItem) throws(Errno) -> CommittedItem {
    do throws(Errno) {
      let item = try commit()
      recorder?.note(item)
      return item
    } catch {
      recorder?.noteFailedOperation(error)
      throw error
    }
  }

  func inode(of id: NodeID) -> UInt64 { state.classify { $0.graph[id].inode } }
}

import Foundation
import Glibc
import Synchronization

/// `inotifywait -m -r`, whose lines are read from a pipe.
final class InotifyWait: Contender {
  let name = "inotifywait"
  let sightings = Sightings()
  private let process = Mutex<Process?>(nil)

  static var isInstalled: Bool { Program.isInstalled("inotifywait") }

  func begin(in folder: Folder) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    let events = ["create", "delete", "moved_from", "moved_to", "close_write"].flatMap { ["-e", $0] }
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["inotifywait", "-m", "-r", "--format", "%e %w%f"] + events + [folder.path]
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.process.withLock { $0 = process }
    let isReady = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.forEachLine(of: errors) { line, _ in if line.contains("Watches established") { isReady.signal() } }
    }
    Thread.detachNewThread { [sightings] in
      Self.forEachLine(of: output) { Self.note($0, at: $1, in: sightings) }
    }
    isReady.wait()
  }

  private static func forEachLine(of pipe: Pipe, _ body: (String, Moment) -> Void) {
    let number = pipe.fileHandleForReading.fileDescriptor
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(number, &buffer, buffer.count)
      let now = Moment.now
      if count <= 0 { return }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        body(String(decoding: rest[..<end], as: UTF8.self), now)
        rest.removeSubrange(...end)
      }
    }
  }

  private static func note(_ line: String, at time: Moment, in sightings: Sightings) {
    guard let space = line.firstIndex(of: " ") else { return }
    let path = String(line[line.index(after: space)...])
    for event in line[..<space].split(separator: ",") { sightings.note(String(event), path, at: time) }
  }

  func end() {
    process.withLock { process in
      process?.terminate()
      process?.waitUntilExit()
      process = nil
    }
  }

  func sight(of happening: Happening) -> Sightings.Sight {
    Sightings.Sight(word: happening.event, path: happening.path)
  }
}

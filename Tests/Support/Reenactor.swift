import FoundationEssentials
package import ObservationCorpus
package import SystemPackage

/// Does what an application did, at the times it did it or at once.
package struct Reenactor {
  private let recording: Recording
  private let root: Folder
  private let outside: Folder
  /// Open files by the name they go by; several where a file is open more than once.
  private var files: [String: [OpenFile]] = [:]
  /// What was written and is not closed.
  private var written: Set<String> = []
  /// When each name was last written to, or closed after that.
  package private(set) var lastWrites: [String: Moment] = [:]

  package init(_ recording: Recording, in folder: TestFolder) {
    self.init(recording, in: folder.watched, outside: folder.outside)
  }

  package init(_ recording: Recording, in root: Folder, outside: Folder) {
    self.recording = recording
    self.root = root
    self.outside = outside
  }

  /// Makes what was there before, in the folder and outside.
  package func prepare() throws(Errno) {
    var bearers: [UUID: String] = [:]
    for (path, item) in recording.before.sorted(by: { $0.key < $1.key }) {
      if let uuid = item.uuid, (item.nlink ?? 1) > 1, let other = bearers[uuid] {
        try root.link(other, path)
        continue
      }
      bearers[item.uuid ?? UUID()] = path
      switch item.type {
      case "dir": try root.makeDirectories(path)
      case "symlink": try root.symlink(item.target ?? "nowhere", path)
      default: try make(path, item.size, in: root)
      }
      if let uuid = item.uuid { try root.setTag(path, uuid) }
    }
    for operation in recording.brought {
      try make(operation.path, operation.size ?? 1, in: outside)
      if let tag = operation.tag { try outside.setTag(operation.path, tag) }
    }
  }

  private func make(_ path: String, _ size: Int, in folder: Folder) throws(Errno) {
    try folder.makeDirectories(Self.parent(of: path))
    try folder.open(path, .create).writeUntil(size: size)
  }

  /// Does all operations.
  ///
  /// Blocks its thread in between: for the recording's time, or, if all are done at once, for a moment before each new
  /// name.
  package mutating func perform(atOnce: Bool = false) throws(Errno) {
    let start = Moment.now
    for operation in recording.operations {
      if !atOnce {
        (start + .microseconds(Int64(operation.ms * 1000))).sleep()
      } else if [.rename, .exchange, .link].contains(operation.op) {
        // File times have the granularity of a clock tick, of up to 10 ms.
        (Moment.now + .milliseconds(10)).sleep()
      }
      do throws(Errno) {
        try perform(operation)
      } catch {
        throw Failure.report(operation, error)
      }
    }
    files = [:]
  }

  private enum Failure {
    static func report(_ operation: Recording.Operation, _ error: Errno) -> Errno {
      print("re-enacting \(operation) failed: \(error)")
      return error
    }
  }

  private mutating func perform(_ operation: Recording.Operation) throws(Errno) {
    let path = operation.path
    let other = operation.to ?? ""
    switch operation.op {
    case .create: files[path, default: []].append(try root.open(path, .replace))
    case .open: files[path, default: []].append(try root.open(path, .update))
    case .tmpfile: files[path, default: []].append(try root.openUnnamed(in: Self.parent(of: path)))
    case .linktmp: try files[path]?.last?.link(to: root[other])
    case .write, .close: try write(operation)
    case .rename: try rename(path, other)
    case .exchange:
      try root.exchange(path, other)
      (files[path], files[other]) = (files[other], files[path])
    case .link: try root.link(path, other)
    case .symlink: try root.symlink(operation.target ?? "", path)
    case .unlink: try root.unlink(path)
    case .mkdir: try root.mkdir(path)
    case .rmdir: try root.rmdir(path)
    case .chmod: try root.chmod(path, operation.mode.flatMap { UInt32($0, radix: 8) } ?? 0o644)
    case .copytag:
      let tag = root.exists(path) ? try root.tag(path) : nil
      if let tag = tag ?? operation.tag { try root.setTag(other, tag) }
    case .movein: try root.rename(outside[path], path)
    case .moveout:
      try outside.makeDirectories(Self.parent(of: path))
      try root.rename(path, outside[path])
    }
  }

  private mutating func write(_ operation: Recording.Operation) throws(Errno) {
    let path = operation.path
    if operation.op == .write {
      try files[path]?.last?.writeUntil(size: operation.size ?? 0)
      written.insert(path)
      lastWrites[path] = .now
    } else {
      _ = files[path]?.popLast()
      // To close what was not written ends nothing.
      if written.remove(path) != nil { lastWrites[path] = .now }
    }
  }

  private mutating func rename(_ old: String, _ new: String) throws(Errno) {
    try root.rename(old, new)
    // Whoever has the file open may go by its new name from now on.
    if let moved = files.removeValue(forKey: old) { files[new] = moved }
    if let time = lastWrites[old] { lastWrites[new] = time }
    if written.remove(old) != nil { written.insert(new) }
  }

  private static func parent(of path: String) -> String { Recording.parent(of: path) ?? "." }
}

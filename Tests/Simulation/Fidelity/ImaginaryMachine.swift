import LinuxFileSystem
import SystemPackage

/// What both machines are watched for.
enum FidelityMask {
  static let all: InotifyMask = [
    .create, .delete, .movedFrom, .movedTo, .modify, .attribute, .closeWrite, .deleteSelf, .moveSelf, .onlyDirectory,
    .excludeUnlinked,
  ]

  static let records: FanotifyMask = [
    .create, .delete, .rename, .modify, .attribute, .closeWrite, .deleteSelf, .moveSelf, .onDirectory, .onChild,
  ]
}

/// One item in words, the same for both machines.
struct InventoryLine {
  var path: String
  var kind: FileKind
  var links: UInt32
  var size: Int64
  var permissions: UInt32
  var tag: [UInt8]?

  var text: String {
    var words = ["\(path) \(kind)"]
    if kind != .directory { words.append("\(links) names") }
    if kind == .file { words.append("\(size) bytes") }
    if kind != .symlink { words.append("mode \(String(permissions, radix: 8))") }
    if let tag { words.append(tag.count == 36 ? String(decoding: tag, as: UTF8.self) : "tag of \(tag.count)") }
    return words.joined(separator: ", ")
  }
}

/// The simulated machine, as it is compared with the real one.
final class ImaginaryMachine {
  let disk: SimulatedDisk
  private let names: NameTable
  private let process: Process
  private var recordText = RecordText<FileHandle>()

  init(_ names: NameTable, queueCapacity: Int) {
    self.names = names
    disk = SimulatedDisk(standard: names)
    disk.queues.append(EventQueue(capacity: queueCapacity))
    disk.groups.append(RecordQueue(capacity: queueCapacity))
    process = Process(Operation(id: 0, title: "", steps: [], intent: .anything), disk)
  }

  deinit {
    disk.tearDown()
  }

  func call(_ action: Action) -> Errno? {
    disk.pass(1_000)
    return process.call(action)
  }

  func watch(_ path: Path) throws(Errno) {
    let inode = try disk.lookUp(path).inode
    _ = disk.watch(inode, queue: 0, FidelityMask.all)
    disk.mark(inode, group: 0, FidelityMask.records)
    recordText.mark(inode.handle.handle)
  }

  func events() -> [QueuedEvent] {
    var events: [QueuedEvent] = []
    while let event = disk.queues[0].popFirst() { events.append(event) }
    return events
  }

  /// What fanotify tells, in words.
  func records() -> [String] {
    var records: [String] = []
    while let record = disk.groups[0].popFirst() {
      let places = [record.place, record.old, record.new].map { place in
        place.map { ($0.directory.handle.handle, $0.name.map { names.name($0).description } ?? ".") }
      }
      records.append(recordText.text(record.mask, places, record.file?.handle.handle))
    }
    return records
  }

  func inventory(_ path: Path) -> [String] {
    guard let directory = disk.find(path) else { return ["\(names.text(path)) cannot be listed"] }
    var lines: [String] = []
    for entry in directory.entries {
      let inode = entry.inode
      let place = path.appending(entry.name)
      lines.append(
        InventoryLine(
          path: names.text(place), kind: inode.kind, links: inode.linkCount, size: inode.size,
          permissions: inode.permissions, tag: inode.tag.bytes
        ).text)
      if inode.kind == .directory { lines += inventory(place) }
    }
    return lines.sorted()
  }
}

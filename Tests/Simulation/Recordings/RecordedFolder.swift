import FileIdentity
import FileSystemObservation
import FoundationEssentials
import LinuxFileSystem
import ObservationCorpus
import SystemPackage

/// Makes what was there before a recording, in the observed folder and outside.
struct RecordedFolder {
  private let recording: Recording
  private let disk: SimulatedDisk
  private let names: NameTable
  private let places: Places

  init(_ recording: Recording, _ simulation: Simulation) {
    self.recording = recording
    disk = simulation.disk
    names = simulation.names
    places = simulation.places
  }

  func prepare() throws(Errno) {
    var bearers: [UUID: Path] = [:]
    for (text, item) in recording.before.sorted(by: { $0.key < $1.key }) {
      let path = path(text, in: places.tree)
      if let uuid = item.uuid, (item.nlink ?? 1) > 1, let other = bearers[uuid] {
        try disk.link(other, path)
        continue
      }
      if let uuid = item.uuid { bearers[uuid] = path }
      try make(item.type, path)
      if let uuid = item.uuid { try tag(path, uuid) }
    }
    for operation in recording.brought {
      let path = path(operation.path, in: places.outside)
      try make("file", path)
      if let uuid = operation.tag { try tag(path, uuid) }
    }
  }

  private func path(_ text: String, in folder: Path) -> Path { Path(folder.names + names.path(text).names) }

  private func make(_ type: String, _ path: Path) throws(Errno) {
    try makeDirectories(path.parent)
    switch type {
    case "dir": try makeDirectories(path)
    case "symlink": try disk.make(.symlink, path)
    default:
      let file = try disk.create(path)
      disk.write(file, 100)
      disk.close(file)
    }
  }

  private func makeDirectories(_ path: Path) throws(Errno) {
    if disk.find(path) != nil { return }
    try makeDirectories(path.parent)
    try disk.make(.directory, path)
  }

  private func tag(_ path: Path, _ uuid: UUID) throws(Errno) {
    try disk.setTag(try disk.lookUp(path), .uuid(UUIDBits(uuid)))
  }
}

import FileSystemObservation

/// Something that is told what happens in a folder.
protocol Contender: AnyObject, Sendable {
  var name: String { get }
  var sightings: Sightings { get }
  /// Begins; when this returns, the whole folder is watched.
  func begin(in folder: Folder) throws
  func end()
  /// What it says of something.
  func sight(of happening: Happening) -> Sightings.Sight
}

/// What is awaited after an operation: what this library says, and what the kernel's events are called.
struct Happening {
  var change: FileSystemChange.Kind
  var event: String
  var path: String
}

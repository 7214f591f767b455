/// What describes the rest of a store, and changes with each transaction.
package struct StoredHead: Sendable, Hashable {
  /// A file system of the tree.
  package struct Device: Sendable, Hashable {
    /// The device number when it was stored; the next start of the machine may give it another.
    package var number: UInt64
    /// What identifies the file system across starts; 0 if nothing does.
    package var identity: UInt64
  }

  /// A run of an observer.
  package struct Run: Sendable, Hashable {
    package var epoch: UInt64
    /// The number of the last set before the run.
    package var base: UInt64
  }

  /// The number of the set that the graph includes.
  package var number: UInt64
  /// When it was written, in nanoseconds since the epoch.
  package var date: Int64
  var nodeCount: Int
  var digest: UInt64
  package var devices: [Device]
  /// The runs that can be told apart, oldest first; the last one wrote this.
  package var runs: [Run]
  /// The path of the root, in bytes.
  package var directory: [UInt8]

  /// What was observed, and how, as JSON.
  var configuration: [UInt8] = []

  /// As many runs as are kept: a cursor of an older one is too old.
  static let runLimit = 1_000

  /// The head of a store that has nothing yet.
  static let empty = StoredHead(
    number: 0, date: 0, nodeCount: 0, digest: 0, devices: [], runs: [], directory: [], configuration: [])
}

extension StoredHead {
  private static let version: UInt8 = 1

  package var bytes: [UInt8] {
    var writer = StoredBytesWriter()
    writer.append(Self.version)
    writer.append(number)
    writer.append(date)
    writer.append(short: nodeCount)
    writer.append(digest)
    writer.append(short: devices.count)
    for device in devices {
      writer.append(device.number)
      writer.append(device.identity)
    }
    writer.append(short: runs.count)
    for run in runs {
      writer.append(run.epoch)
      writer.append(run.base)
    }
    writer.append(counted: directory)
    writer.append(counted: configuration)
    var checksum = StoredChecksum(seed: UInt64(Self.version))
    unsafe checksum.append(writer.bytes.span.bytes)
    writer.append(checksum.value)
    return writer.bytes
  }

  package init(bytes: [UInt8]) throws(StoredDataError) {
    let end = bytes.count - 8
    guard end > 0 else { throw StoredDataError("the head is empty") }
    var checksum = StoredChecksum(seed: UInt64(Self.version))
    unsafe checksum.append(bytes.span.bytes.extracting(0..<end))
    var last = StoredBytesReader(bytes[end...])
    guard try last.take() == checksum.value else { throw StoredDataError("the checksum of the head does not match") }
    var reader = StoredBytesReader(bytes[..<end])
    guard try reader.take(UInt8.self) == Self.version else { throw StoredDataError("the head is of another version") }
    number = try reader.take()
    date = try reader.take()
    nodeCount = try reader.takeCount()
    digest = try reader.take()
    devices = []
    for _ in 0..<(try reader.takeCount()) {
      devices.append(Device(number: try reader.take(), identity: try reader.take()))
    }
    runs = []
    for _ in 0..<(try reader.takeCount()) { runs.append(Run(epoch: try reader.take(), base: try reader.take())) }
    directory = Array(try reader.takeCounted())
    configuration = Array(try reader.takeCounted())
    guard reader.isAtEnd else { throw StoredDataError("the head is too long") }
  }
}

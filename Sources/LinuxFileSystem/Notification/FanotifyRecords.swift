/// The records of one `read(2)`: `struct fanotify_event_metadata`, each followed by directories, names and files.
///
/// A malformed record is reported as an overflow, because events may have been lost.
@unsafe
struct FanotifyRecords {
  private enum Metadata {
    /// Length (4), version (1), reserved (1), length of the metadata (2), mask (8), descriptor (4), process (4).
    static let size = 24
    static let version: UInt8 = 3
  }

  private enum Info {
    /// Type (1), padding (1), length (2).
    static let headerSize = 4
    /// Followed by the file system (8), the number of bytes of the handle (4), its type (4).
    static let handleOffset = 20

    static let file: UInt8 = 1
    static let place: UInt8 = 2
    static let directory: UInt8 = 3
    static let old: UInt8 = 10
    static let new: UInt8 = 12
  }

  private let bytes: UnsafeRawBufferPointer
  private let ownProcess: Int32

  init(_ bytes: UnsafeRawBufferPointer, ownProcess: Int32) {
    unsafe self.bytes = unsafe bytes
    unsafe self.ownProcess = ownProcess
  }

  func forEach(_ body: (FanotifyEvent) -> Void) {
    var offset = 0
    while unsafe offset < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
      guard let length = unsafe Self.length(of: rest) else { return unsafe body(FanotifyEvent(mask: .queueOverflow)) }
      let record = unsafe UnsafeRawBufferPointer(rebasing: rest[..<length])
      unsafe body(event(record) ?? FanotifyEvent(mask: .queueOverflow))
      offset += length
    }
  }

  /// The length of the first record, if it is complete and of a known version.
  private static func length(of rest: UnsafeRawBufferPointer) -> Int? {
    guard rest.count >= Metadata.size, unsafe rest[4] == Metadata.version else { return nil }
    let length = unsafe Int(rest.loadUnaligned(as: UInt32.self))
    return length >= Metadata.size && length <= rest.count ? length : nil
  }

  private func event(_ record: UnsafeRawBufferPointer) -> FanotifyEvent? {
    let mask = unsafe FanotifyMask(rawValue: record.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let process = unsafe record.loadUnaligned(fromByteOffset: 20, as: Int32.self)
    var event = unsafe FanotifyEvent(mask: mask, isOwn: process == ownProcess)
    var offset = unsafe Int(record.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    guard offset >= Metadata.size, offset <= record.count else { return nil }
    while offset < record.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: record[offset...])
      guard rest.count >= Info.headerSize else { return nil }
      let length = unsafe Int(rest.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      guard length >= Info.headerSize, length <= rest.count,
        unsafe Self.add(UnsafeRawBufferPointer(rebasing: rest[..<length]), to: &event)
      else { return nil }
      offset += length
    }
    return unsafe event
  }

  /// Adds one piece of information; returns whether it was well formed.
  private static func add(_ info: UnsafeRawBufferPointer, to event: inout FanotifyEvent) -> Bool {
    let type = unsafe info[0]
    switch type {
    case Info.file:
      guard let (handle, _) = unsafe handle(in: info) else { return false }
      unsafe event.file = handle
    case Info.directory:
      guard let (directory, _) = unsafe handle(in: info) else { return false }
      unsafe event.place = FanotifyEvent.Place(directory: directory, name: UnsafeBufferPointer(start: nil, count: 0))
    case Info.place, Info.old, Info.new:
      guard let place = unsafe place(in: info) else { return false }
      switch type {
      case Info.old: unsafe event.old = unsafe place
      case Info.new: unsafe event.new = unsafe place
      default: unsafe event.place = unsafe place
      }
    default: break
    }
    return true
  }

  private static func handle(in info: UnsafeRawBufferPointer) -> (KernelHandle, end: Int)? {
    guard info.count >= Info.handleOffset else { return nil }
    let count = unsafe info.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
    guard count <= KernelHandle.longest, Info.handleOffset + Int(count) <= info.count else { return nil }
    let end = Info.handleOffset + Int(count)
    let handle = unsafe KernelHandle(
      fileSystem: fileSystem(in: info), type: info.loadUnaligned(fromByteOffset: 16, as: Int32.self),
      bytes: UnsafeRawBufferPointer(rebasing: info[Info.handleOffset..<end]))
    return (handle, end)
  }

  /// The identifier in the form of `fstatfs(2)`.
  private static func fileSystem(in info: UnsafeRawBufferPointer) -> UInt64 {
    let high = unsafe info.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let low = unsafe info.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    return UInt64(high) << 32 | UInt64(low)
  }

  /// A handle, and a name with its NUL.
  private static func place(in info: UnsafeRawBufferPointer) -> FanotifyEvent.Place? {
    guard let (directory, start) = unsafe handle(in: info) else { return nil }
    let padded = unsafe UnsafeRawBufferPointer(rebasing: info[start...]).bindMemory(to: UInt8.self)
    guard let end = unsafe padded.firstIndex(of: 0), end > 0, unsafe !padded[..<end].contains(UInt8(ascii: "/")) else {
      return nil
    }
    return unsafe FanotifyEvent.Place(
      directory: directory, name: UnsafeBufferPointer(rebasing: padded[..<end]))
  }
}

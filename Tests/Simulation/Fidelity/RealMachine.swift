internal import CTestSystem
import FileIdentity
internal import Glibc
import LinuxFileSystem
import SystemPackage

/// Does in a real folder what programs do on the simulated machine, by the plain system calls.
final class RealMachine {
  private static let tagName = "user.fsobserver.uuid"
  private static let mask: InotifyMask = FidelityMask.all

  private let names: NameTable
  /// What stands for the simulated root.
  private let folder: String
  private let inotify: InotifyInstance
  private let fanotify: FanotifyInstance
  private var recordText = RecordText<FileHandle>()
  private var files: [Int: CInt] = [:]

  init(_ names: NameTable, folder: String) throws(Errno) {
    self.names = names
    self.folder = folder
    inotify = try InotifyInstance()
    fanotify = try FanotifyInstance(usingPrivilege: false)
  }

  deinit {
    for file in files.values { Glibc.close(file) }
  }

  private func text(_ path: Path) -> String { folder + "/" + names.text(path) }

  private func result(_ value: CInt) -> Errno? { value == -1 ? Errno(rawValue: errno) : nil }

  /// Does one call; what it returns is how it failed.
  func call(_ action: Action) -> Errno? {
    switch action {
    case .create(let path, let file): open(path, file, O_WRONLY | O_CREAT | O_EXCL)
    case .open(let path, let file, let truncating, let creating):
      open(path, file, O_WRONLY | (truncating ? O_TRUNC : 0) | (creating ? O_CREAT : 0))
    case .createUnnamed(let path, let file): put(createUnnamed(path), file)
    case .write(let file): write(file)
    case .close(let file): close(file)
    case .linkUnnamed(let file, let path): withFile(file) { unsafe ctest_link_unnamed($0, text(path)) }
    case .make(let kind, let path): result(make(kind, path))
    case .link(let old, let new): result(unsafe linkat(AT_FDCWD, text(old), AT_FDCWD, text(new), 0))
    case .unlink(let path): result(unsafe Glibc.unlink(text(path)))
    case .rmdir(let path): result(unsafe Glibc.rmdir(text(path)))
    case .rename(let old, let new, let mode): result(unsafe ctest_rename(text(old), text(new), mode.flags))
    case .setTag(let path, let value): result(setTag(path, value))
    case .touch(let path): result(unsafe ctest_touch(text(path)))
    case .chmod(let path, let mode): result(unsafe ctest_chmod(text(path), mode))
    default: .notSupported
    }
  }

  private func open(_ path: Path, _ file: Int, _ flags: CInt) -> Errno? {
    put(unsafe ctest_open(text(path), flags | O_NONBLOCK | O_NOFOLLOW | O_APPEND, 0o644), file)
  }

  private func createUnnamed(_ path: Path) -> CInt {
    let descriptor = unsafe ctest_open_unnamed(text(path))
    if descriptor != -1 { _ = fcntl(descriptor, F_SETFL, O_APPEND) }
    return descriptor
  }

  private func put(_ descriptor: CInt, _ file: Int) -> Errno? {
    if descriptor == -1 { return Errno(rawValue: errno) }
    _ = close(file)
    files[file] = descriptor
    return nil
  }

  private func close(_ file: Int) -> Errno? { files.removeValue(forKey: file).flatMap { result(Glibc.close($0)) } }

  private func withFile(_ file: Int, _ body: (CInt) -> CInt) -> Errno? {
    files[file].map { result(body($0)) } ?? .badFileDescriptor
  }

  private func write(_ file: Int) -> Errno? {
    let bytes = [UInt8](repeating: 0x78, count: 100)
    return withFile(file) { unsafe Glibc.write($0, bytes, bytes.count) == bytes.count ? 0 : -1 }
  }

  private func make(_ kind: FileKind, _ path: Path) -> CInt {
    switch kind {
    case .directory: unsafe mkdir(text(path), 0o755)
    case .symlink: unsafe symlink("nowhere", text(path))
    default: unsafe mkfifo(text(path), 0o644)
    }
  }

  private func setTag(_ path: Path, _ value: TagValue) -> CInt {
    guard let bytes = value.bytes else { return unsafe ctest_remove_attribute(text(path), Self.tagName) }
    return unsafe ctest_set_attribute(text(path), Self.tagName, bytes, bytes.count)
  }
}

// MARK: - What is told, and what is there

extension RealMachine {
  /// Begins to watch a directory.
  func watch(_ path: Path) throws(Errno) {
    let descriptor = unsafe ctest_open(text(path), O_RDONLY | O_DIRECTORY, 0)
    if descriptor == -1 { throw Errno(rawValue: errno) }
    let directory = OwnedDescriptor(owning: descriptor)
    _ = try inotify.watch(directory, for: Self.mask)
    try fanotify.mark(directory, for: FidelityMask.records)
    recordText.mark(try KernelHandle.of(directory).handle)
  }

  /// Whatever has been told since the last time.
  func events() throws(Errno) -> [QueuedEvent] {
    var events: [QueuedEvent] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { unsafe buffer.deallocate() }
    while unsafe try inotify.readEvents(into: buffer, { unsafe events.append(queued($0)) }) {}
    return events
  }

  /// Waits until more is told, for a second at the most.
  ///
  /// A process that another test starts has all open files until it executes its program: a file is closed only then.
  func isToldMore() -> Bool {
    var polled = [inotify.descriptor.number, fanotify.descriptor.number].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    return unsafe poll(&polled, nfds_t(polled.count), 1_000) > 0
  }

  /// Whatever fanotify has told since the last time, in words.
  func records() throws(Errno) -> [String] {
    var records: [String] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { unsafe buffer.deallocate() }
    while unsafe try fanotify.readEvents(into: buffer, { unsafe records.append(text($0)) }) {}
    return records
  }

  private func text(_ event: FanotifyEvent) -> String {
    let places = unsafe [event.place, event.old, event.new].map { place in
      unsafe place.map { unsafe ($0.directory.handle, String(decoding: $0.name, as: UTF8.self)) }
    }
    return unsafe recordText.text(event.mask, places, event.file?.handle)
  }

  private func queued(_ event: InotifyEvent) -> QueuedEvent {
    let name = unsafe event.name.isEmpty ? nil : names.number(FileName(bytes: event.name))
    return unsafe QueuedEvent(watch: event.watch.rawValue, mask: event.mask, cookie: event.cookie, name: name)
  }

  /// What there is below a path, in words.
  func inventory(_ path: Path) -> [String] {
    guard let stream = unsafe opendir(text(path)) else { return ["\(names.text(path)) cannot be listed"] }
    defer { unsafe closedir(stream) }
    var lines: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name == "." || name == ".." { continue }
      let place = path.appending(names.number(name))
      lines.append(line(place))
      var status = ctest_status()
      if unsafe ctest_lstat(text(place), &status) == 0, status.mode & 0o170000 == 0o040000 {
        lines += inventory(place)
      }
    }
    return lines.sorted()
  }

  private func line(_ path: Path) -> String {
    var status = ctest_status()
    guard unsafe ctest_lstat(text(path), &status) == 0 else { return "\(names.text(path)) is not there" }
    let kind: FileKind =
      switch status.mode & 0o170000 {
      case 0o040000: .directory
      case 0o120000: .symlink
      case 0o100000: .file
      default: .special
      }
    return InventoryLine(
      path: names.text(path), kind: kind, links: status.link_count, size: status.size, permissions: status.mode & 0o777,
      tag: tag(path)
    ).text
  }

  /// Whether it is ext4.
  var hasNarrowAttributes: Bool { unsafe ctest_file_system_type(folder) == 0xEF53 }

  private func tag(_ path: Path) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe ctest_get_attribute(text(path), Self.tagName, &value, value.count)
    return count < 0 ? nil : Array(value.prefix(count))
  }
}

extension RenameMode {
  fileprivate var flags: UInt32 {
    switch self {
    case .replacing: 0
    case .notReplacing: 1
    case .exchanging: 2
    }
  }
}

extension TagValue {
  /// What is written for it; nothing for no value.
  var bytes: [UInt8]? {
    switch self {
    case .none: nil
    case .uuid(let uuid): Array(uuid.description.utf8)
    case .garbage(let count): [UInt8](repeating: 0x78, count: count)
    }
  }
}

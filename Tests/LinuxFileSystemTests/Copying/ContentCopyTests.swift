import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct ContentCopyTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func copy(by method: ContentCopy.Method) throws {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    try FileName("source").withView { (source) throws(Errno) in
      try FileName("copy").withView { (copy) throws(Errno) in
        let from = try OwnedDescriptor.open(source, in: directory, for: .read)
        let to = try OwnedDescriptor.create(copy, in: directory, permissions: 0o600)
        try ContentCopy.copy(from: from, to: to, by: method)
      }
    }
  }

  @Test(arguments: ContentCopy.Method.allCases, [0, 1, 4096, 3_000_001])
  func copiesEveryByte(_ method: ContentCopy.Method, _ size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try PlainFiles.write(bytes, to: folder.path("source"))
    try copy(by: method)
    #expect(try PlainFiles.read(folder.path("copy")) == bytes)
  }

  /// Offsets beyond 32 bits, and a call that can move at most 2 GiB: the file is sparse, so that it costs no time.
  @Test(arguments: ContentCopy.Method.allCases)
  func copiesBeyondFourGibibytesAndKeepsTheHoles(_ method: ContentCopy.Method) throws {
    let marks: [(offset: Int64, text: String)] = [(0, "begin"), (2_147_483_640, "middle"), (5_000_000_000, "end")]
    let size: Int64 = 5_000_100_000
    let file = try FileDescriptor.open(
      folder.path("source"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    try file.closeAfter {
      for mark in marks { try file.writeAll(toAbsoluteOffset: mark.offset, mark.text.utf8) }
      try file.resize(to: size)
    }
    try copy(by: method)
    let status = try PlainFiles.status(of: folder.path("copy"))
    #expect(status.st_size == size)
    #expect(status.st_blocks < 10_000, "a hole was filled")
    let copied = try FileDescriptor.open(folder.path("copy"), .readOnly, options: .closeOnExec)
    try copied.closeAfter {
      for mark in marks {
        var bytes = [UInt8](repeating: 0, count: mark.text.utf8.count)
        let count = unsafe try bytes.withUnsafeMutableBytes {
          unsafe try copied.read(fromAbsoluteOffset: mark.offset, into: $0)
        }
        #expect(count == bytes.count)
        #expect(String(decoding: bytes, as: UTF8.self) == mark.text)
      }
    }
  }

  /// No kernel copies between ext4 and tmpfs with `FICLONE` or, across kinds, `copy_file_range(2)`: the next method is
  /// taken.
  @Test(.enabled(if: PlainFiles.isWritable("/dev/shm")))
  func copiesAcrossFileSystems() throws {
    let memory = try ScratchFolder(in: "/dev/shm")
    let bytes = [UInt8](repeating: 42, count: 100_000)
    try PlainFiles.write(bytes, to: folder.path("source"))
    let from = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let to = try OwnedDescriptor.openDirectory(at: memory.path, for: .search)
    try FileName("source").withView { (name) throws(Errno) in
      let source = try OwnedDescriptor.open(name, in: from, for: .read)
      let copy = try OwnedDescriptor.create(name, in: to, permissions: 0o600)
      try ContentCopy.copy(from: source, to: copy)
    }
    #expect(try PlainFiles.read(memory.path("source")) == bytes)
  }
}

import FileTestSupport
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import Testing

/// `swift run PhotoInbox`: photos are filed when all that came with them is complete, and not before.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct PhotoInboxTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir inbox pictures source")
  }

  private func start() throws -> ToolProcess {
    let inbox = try ToolProcess(
      executable: "/usr/bin/stdbuf",
      ["-oL", Tool.folder.appending("PhotoInbox").string, folder["inbox"], folder["pictures"]])
    try inbox.lines { $0.hasPrefix("Waiting for photos") }
    return inbox
  }

  private func end(_ inbox: ToolProcess) {
    inbox.signal(SIGINT)
    #expect(inbox.finish().status == 128 + SIGINT)
  }

  /// The paths of all files below a folder.
  private func files(_ name: String) -> [String] {
    folder.shell("cd \(name) && find . -type f | sort").split(separator: "\n").map { String($0.dropFirst(2)) }
  }

  /// Awaits the photos of the library.
  private func expect(_ photos: [String], _ location: SourceLocation = #_sourceLocation) async throws {
    let areThere = try await comesTrue { files("pictures") == photos }
    #expect(areThere, "\(files("pictures"))", sourceLocation: location)
  }

  /// Writes a photo with a time in its Exif, in one of the two orders of bytes.
  private func writePhoto(_ name: String, taken: String, isBigEndian: Bool = false) throws {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
    func table(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      number(1, 2) + number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4) + number(0, 4)
    }
    let head = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    let tables = table(0x8769, 4, 1, 26) + table(0x9003, 2, 20, 44)
    let photo = [0xff, 0xd8, 0xff, 0xe1, 0, 0x40] + Array("Exif\0\0".utf8) + head + tables + Array("\(taken)\0".utf8)
    try PlainFiles.write(photo, to: FilePath(folder[name]))
  }
}

extension PhotoInboxTests {
  /// A program writes the last file for two seconds, and says what is filed just before it is done.
  @Test func aFolderIsNotFiledBeforeItIsComplete() async throws {
    let inbox = try start()
    let filed = folder.shell(
      """
      mkdir -p inbox/card/day
      touch -d 2024-03-05 inbox/card/a.jpg inbox/card/day/b.jpg
      (printf x; sleep 2; ls pictures >&2; printf y) 2> filed > inbox/card/film.mp4
      touch -d 2023-12-24 inbox/card/film.mp4
      cat filed
      """)
    #expect(filed == "")
    try await expect(["2023/12/film.mp4", "2024/03/a.jpg", "2024/03/b.jpg"])
    #expect(files("inbox") == [])
    // What comes later is complete by itself.
    folder.shell("touch -d 2022-01-31 c.JPG && mv c.JPG inbox/card/day")
    try await expect(["2022/01/c.JPG", "2023/12/film.mp4", "2024/03/a.jpg", "2024/03/b.jpg"])
    end(inbox)
  }

  @Test func theCameraSaysWhenAPhotoWasTaken() async throws {
    try writePhoto("source/little.jpg", taken: "2019:07:04 10:20:30")
    try writePhoto("source/big.jpg", taken: "2018:11:30 23:59:59", isBigEndian: true)
    try writePhoto("source/unset.jpg", taken: "0000:00:00 00:00:00")
    folder.shell("cd source && printf Exif > cut.jpg && echo hello > notes.txt && touch -d 2021-05-01 *")
    let inbox = try start()
    folder.shell("cp -a source inbox/card")
    try await expect(["2018/11/big.jpg", "2019/07/little.jpg", "2021/05/cut.jpg", "2021/05/unset.jpg"])
    #expect(files("inbox") == ["card/notes.txt"])
    end(inbox)
  }

  @Test func photosOfTheSameNameAreKept() async throws {
    let inbox = try start()
    folder.shell(
      "for card in 1 2 3; do mkdir source/$card; echo $((card / 2)) > source/$card/a.jpg; done; touch -d 2024-03-05 source/*/*"
    )
    // The second one has other contents; the third one has those of the second.
    folder.shell("cp -a source/1 inbox")
    try await expect(["2024/03/a.jpg"])
    folder.shell("cp -a source/2 inbox")
    try await expect(["2024/03/a 2.jpg", "2024/03/a.jpg"])
    folder.shell("cp -a source/3 inbox")
    try inbox.lines { $0.hasSuffix("2024/03/a 2.jpg is there already") }
    #expect(files("inbox") == ["3/a.jpg"])
    end(inbox)
  }

  @Test func whatWasThereBeforeIsFiled() async throws {
    folder.shell("mkdir inbox/old && touch -d 2024-03-05 inbox/old/a.jpg inbox/b.jpg inbox/old && touch inbox/new.jpg")
    let inbox = try start()
    try await expect(["2024/03/a.jpg", "2024/03/b.jpg"])
    #expect(files("inbox") == ["new.jpg"])
    end(inbox)
  }
}

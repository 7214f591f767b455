import FileTestSupport
import Glibc
import Testing

/// What the commands do and say of an overlay, most of whose files are in the lower layer.
@Suite(.ownThreads, .timeLimit(.minutes(10)), .enabled(if: Overlay.isPossible, "needs root, and an overlay mount"))
struct OverlayTests {
  private let overlay: Overlay

  init() throws {
    overlay = try Overlay()
  }

  @Test func aScanCopiesNothingAndSaysWhy() throws {
    let run = try Tool.run("scan", overlay.folder["in"])
    #expect(run.status == 0)
    #expect(run.output.contains("tagged: 1;"))
    #expect(run.output.contains("skipped: in a lower layer of an overlay (--tag-lower tags them): 3\n"))
    #expect(overlay.upper == ["./u"])
  }

  @Test func aScanCopiesWhatItIsAskedToTag() throws {
    let run = try Tool.run("scan", "--tag-lower", overlay.folder["in"])
    #expect(run.status == 0 && run.output.contains("tagged: 4;") && !run.output.contains("skipped"))
    #expect(overlay.upper == ["./a", "./sub", "./sub/b", "./u"])
  }

  @Test func aFileThatIsNamedIsTagged() throws {
    let run = try Tool.run("id", "--create", overlay.folder["in/a"])
    #expect(run.status == 0)
    #expect(overlay.upper == ["./a", "./u"])
    #expect(try Tool.run("scan", overlay.folder["in"]).output.contains(run.output.prefix(36)))
  }

  @Test func doctorCountsThemAndCopiesNothing() throws {
    let run = try Tool.run("doctor", "--format", "json", overlay.folder["in"])
    #expect(run.status == 1)
    let report = try JSONLine(try #require(run.lines.first))
    let untaggable = try #require(report.members["untaggable"] as? [[String: Any]])
    #expect(untaggable.map { $0["reason"] as? String } == ["onlyInLowerLayer"])
    #expect(untaggable.map { $0["count"] as? Int } == [3])
    let page = try Tool.run("doctor", overlay.folder["in"])
    #expect(page.output.contains("3 items are only in a lower layer") && page.output.contains("--tag-lower"))
    // A folder of the lower layer by itself: nothing may be made in it, not even a file without a name.
    #expect(try Tool.run("doctor", overlay.folder["in/sub"]).status == 1)
    #expect(overlay.upper == ["./u"])
  }
}

/// A folder `in` with two files and a folder in the lower layer, and one file in the upper.
private final class Overlay: Sendable {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell(
      """
      mkdir -p lower/sub upper work in; echo a > lower/a; echo b > lower/sub/b; echo u > upper/u
      mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none in
      """)
  }

  deinit {
    _ = Shell.run("umount -l \"$0\"", folder["in"])
  }

  var upper: [String] {
    Shell.run("cd \"$0\" && find . -mindepth 1 | sort", folder["upper"]).output.split(separator: "\n").map(String.init)
  }

  /// Tried once.
  static let isPossible: Bool = {
    let script = """
      cd "$(mktemp -d -p "${TMPDIR:-/var/tmp}")" && mkdir l u w m && mount -t overlay -o lowerdir=l,upperdir=u,workdir=w none m
      status=$?; umount m 2>/dev/null; rm -rf "$PWD"; exit $status
      """
    return isRoot && Shell.run(script).status == 0
  }()
}

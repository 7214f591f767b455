import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What file managers and their command line tools do to a document, ten times over: its identity goes along.
@Suite(.long) struct FileManagerTests {
  /// One round, and what is said of it.
  struct Round: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let executable: String
    /// Steps, each with what is said of it; `T` is the trash folder, `N` the number of the round.
    let steps: [(command: String, told: [String])]
  }

  static let rounds: [Round] = [
    Round(
      testDescription: "gio rename", executable: "gio",
      steps: [
        ("gio rename doc.txt other.txt > /dev/null", ["renamed doc.txt -> other.txt"]),
        ("gio rename other.txt doc.txt > /dev/null", ["renamed other.txt -> doc.txt"]),
      ]),
    Round(
      testDescription: "gio move", executable: "gio",
      steps: [
        ("gio move doc.txt sub/", ["moved doc.txt -> sub/doc.txt"]),
        ("gio move sub/doc.txt other.txt", ["moved sub/doc.txt -> other.txt"]),
        ("gio move other.txt doc.txt", ["renamed other.txt -> doc.txt"]),
      ]),
    Round(
      testDescription: "gio move of its folder", executable: "gio",
      steps: [
        ("gio move doc.txt sub/", ["moved doc.txt -> sub/doc.txt"]),
        ("gio move sub elsewhere", ["renamed sub -> elsewhere"]),
        ("gio move elsewhere sub", ["renamed elsewhere -> sub"]),
        ("gio move sub/doc.txt .", ["moved sub/doc.txt -> doc.txt"]),
      ]),
    Round(
      testDescription: "gio copy", executable: "gio",
      steps: [
        ("gio copy doc.txt copy.txt", ["duplicated doc.txt => copy.txt", "copyFinished copy.txt"]),
        ("gio remove copy.txt", ["deleted(removed) copy.txt"]),
        ("gio copy -p doc.txt sub/", ["duplicated doc.txt => sub/doc.txt", "copyFinished sub/doc.txt"]),
        ("gio remove sub/doc.txt", ["deleted(removed) sub/doc.txt"]),
      ]),
    Round(
      testDescription: "gio trash", executable: "gio",
      steps: [
        ("gio trash doc.txt", ["deleted(trashed) doc.txt"]),
        (restore, ["discovered(returned) doc.txt", "copyFinished doc.txt"]),
      ]),
    Round(
      testDescription: "mv and cp", executable: "mv",
      steps: [
        ("mv doc.txt sub/other.txt", ["moved doc.txt -> sub/other.txt"]),
        ("cp -a sub/other.txt doc.txt", ["duplicated sub/other.txt => doc.txt", "copyFinished doc.txt"]),
        ("mv -f sub/other.txt doc.txt", ["deleted(replaced) doc.txt", "moved sub/other.txt -> doc.txt"]),
      ]),
    Round(
      testDescription: "out and in", executable: "mv",
      steps: [
        ("mv doc.txt $OUT", ["deleted(movedOut) doc.txt"]),
        ("mv $OUT/doc.txt .", ["discovered(returned) doc.txt", "copyFinished doc.txt"]),
      ]),
  ]

  /// As a file manager does it, whose part of this needs a desktop.
  ///
  /// Others use the same trash: `grep` fails if one of their items leaves it meanwhile.
  private static let restore = """
    I=$(grep -lsF "$PWD/doc.txt" $T/info/*.trashinfo); [ -n "$I" ] && F=$(basename "$I" .trashinfo) && mv "$T/files/$F" doc.txt && rm "$I"
    """

  @Test(arguments: rounds) func theIdentityGoesAlong(_ round: Round) async throws {
    if !SavingProgram.isInstalled(round.executable) { try Test.cancel("not installed: \(round.executable)") }
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("doc.txt", "content")
      try $0.watched.mkdir("sub")
    }
    let trash = "${XDG_DATA_HOME:-$HOME/.local/share}/Trash"
    let places = "cd '\(observed.root.path)' && OUT='\(observed.outside.path)' && T=\(trash)"
    let document = try observed.uuid("doc.txt")
    for number in 1...10 {
      for (command, told) in round.steps {
        try await observed.saysExactly(told, isLast: false) { _ in
          try await onThread { try Command.run("sh", "-c", "\(places) && N=\(number) && \(command)") }
        }
      }
      #expect(try observed.uuid("doc.txt") == document, "round \(number)")
    }
    try await observed.expectAgreement()
  }
}

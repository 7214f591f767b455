import FileSystemObservation

// The examination for people: one page.

extension FileSystemObserver.Examination {
  /// The page, with a line feed at the end.
  var text: String {
    var lines = [
      directory.printable,
      "",
      "  \(kernel)",
      "  \(Self.count(directoryCount, "folder")) and \(Self.count(fileCount, "file")), \(taggedCount) of them tagged",
      "",
      "File systems",
    ]
    for mount in mounts { lines += Self.lines(for: mount) }
    lines += ["", "Limits"]
    lines += limits.map { limit in
      let verdict = limit.isEnough ? "enough" : "NOT ENOUGH"
      return "  \(limit.resource): \(limit.needed) needed, \(limit.used) of \(limit.value) used: \(verdict) "
        + "(\(limit.name))"
    }
    if !gitWorkingTrees.isEmpty { lines += ["", "Working trees of git"] + gitWorkingTrees.flatMap(Self.lines) }
    lines += ["", needsAttention ? "What to do" : "Nothing needs to be done."]
    for problem in problems { lines += ["  - \(problem.message)", "      \(problem.advice)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(for mount: Mount) -> [String] {
    [
      "  \(mount.path.printable) (\(mount.type)\(mount.isReadOnly ? ", read-only" : "")), "
        + Self.count(mount.directoryCount, "folder"),
      "      source \(mount.source.rawValue): \(mount.reason)",
      "      tags \(word(mount.takesTags)), leases \(word(mount.hasLeases)), birth times \(word(mount.hasBirthTimes))",
    ]
  }

  /// No problem to solve: git only reads more files than it must.
  private static func lines(for tree: WorkingTree) -> [String] {
    let line = "  \(tree.path.printable) (core.trustctime is \(tree.trustsChangeTimes))"
    if !tree.trustsChangeTimes { return [line] }
    return [
      line,
      "      A tag changes a file's ctime: git takes it for changed until its next git status, which reads it once more.",
      "      To avoid that: git config core.trustctime false, in this folder; or observe it with --no-tag.",
    ]
  }

  private static func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

  private static func word(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "unknown" }
}

import FileTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation

/// What is read of git's files, and what `doctor` says of it.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct GitWorkingTreeTests {
  @Test(
    arguments: [
      ("", nil), ("[core]\n\ttrustctime = false\n", false), ("[core]\n\ttrustctime=true", true),
      ("[CORE]\nTrustCtime = No ; why\n", false), ("[core]\n trustctime\n", true), ("[core] trustctime = off", false),
      ("[core]\ntrustctime = \"false\"\n", false), ("[core]\ntrustctime =\n", false),
      ("[core]\n trustctime = 0", false),
      ("[core]\n trustctime = false\n trustctime = 1\n", true), ("[core]\n# trustctime = false\n", nil),
      ("[core \"x\"]\ntrustctime = false\n", nil), ("[user]\ntrustctime = false\n", nil), ("trustctime = false", nil),
      ("[core]\n bare = false\n[user]\n name = x\n[core]\r\n trustctime = no\r\n", false), ("[", nil), ("=", nil),
    ] as [(String, Bool?)])
  func theValueThatCountsIsTheLast(_ text: String, _ value: Bool?) {
    #expect(GitConfiguration.trustsChangeTimes(text) == value)
  }

  /// As git makes them, made by hand: a repository, a further working tree, a submodule.
  private func prepare() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    folder.shell(
      """
      mkdir -p repo/.git/worktrees/w repo/sub/deep further repo/.git/modules/m repo/module none
      printf '[core]\\n\\tbare = false\\n' > repo/.git/config
      printf 'gitdir: %s/repo/.git/worktrees/w\\n' "$PWD" > further/.git
      printf '../..\\n' > repo/.git/worktrees/w/commondir
      printf 'gitdir: ../.git/modules/m\\n' > repo/module/.git
      printf '[core]\\n\\ttrustctime = false\\n' > repo/.git/modules/m/config
      """)
    return folder
  }

  @Test func eachKindOfWorkingTreeIsFound() throws {
    let folder = try prepare()
    func trusts(_ name: String) -> Bool? { GitWorkingTree(at: FilePath(folder[name]))?.trustsChangeTimes }
    #expect(trusts("repo") == true && trusts("further") == true)
    #expect(trusts("repo/module") == false)
    #expect(trusts("none") == nil && trusts("repo/sub") == nil && trusts("missing") == nil)
    folder.shell("printf '[core]\\n trustctime = false\\n' >> repo/.git/config")
    #expect(trusts("repo") == false && trusts("further") == false)
    #expect(GitWorkingTree.above(FilePath(folder["repo/sub/deep"]))?.path == FilePath(folder["repo"]))
    folder.shell("rm -r repo/.git; mkfifo repo/.git none/.git; ln -s ../further/.git repo/sub/.git")
    #expect(trusts("repo") == nil && trusts("none") == nil && trusts("repo/sub") == nil)
  }

  @Test func doctorSaysWhatATagCostsThere() throws {
    let folder = try prepare()
    for (directory, trees) in [("", ["further", "repo", "repo/module"]), ("repo/sub", ["repo"]), ("none", [])] {
      let run = try Tool.run("doctor", directory.isEmpty ? folder.string : folder[directory], "--format", "json")
      let report = try JSONLine(try #require(run.lines.first))
      #expect((run.status == 0) == report.areLimitsEnough && run.errors == "", "\(run.lines)")
      let found = try #require(report.members["gitWorkingTrees"] as? [[String: Any]])
      #expect(found.compactMap { $0["path"] as? String }.sorted() == trees.map { folder[$0] })
    }
    let page = try Tool.run("doctor", folder["repo"]).output
    #expect(page.contains("\(folder["repo"]) (core.trustctime is true)"))
    #expect(page.contains("git config core.trustctime false") && page.contains("--no-tag"))
    #expect(page.contains("\(folder["repo/module"]) (core.trustctime is false)"))
  }
}

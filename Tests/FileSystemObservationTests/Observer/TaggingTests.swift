import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Files are given a tag when somebody asks for their UUID, or when they change.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct TaggingTests {
  private func begin() async throws -> ObservedFolder {
    var options = FileSystemObserver.Configuration()
    options.tagging = .whenAsked
    let folder = try TestFolder()
    for name in ["a.txt", "b.txt", "c.txt"] { try folder.watched.write(name) }
    try folder.watched.mkdir("d")
    let observed = ObservedFolder(folder, options: options)
    try await observed.observer.start()
    await observed.observer.synchronize()
    return observed
  }

  private func tags(_ observed: ObservedFolder, _ names: String...) throws -> [Bool] {
    try names.map { try observed.root.tag($0) != nil }
  }

  @Test func nothingIsTaggedAtFirst() async throws {
    let observed = try await begin()
    #expect(try tags(observed, "a.txt", "b.txt", "d", ".") == [false, false, false, false])
    #expect(observed.observer.snapshot().count == 4)
    #expect(try tags(observed, "a.txt", "b.txt", "d", ".") == [false, false, false, false])
  }

  @Test func whatIsAskedForIsTagged() async throws {
    let observed = try await begin()
    let first = observed.observer.uuid(forItemAt: FilePath(observed.root["a.txt"]))
    let second = observed.observer[FilePath(observed.root["d"])]?.uuid
    await observed.observer.synchronize()
    #expect(try observed.root.tag("a.txt") == first)
    #expect(try observed.root.tag("d") == second)
    #expect(try tags(observed, "b.txt", "c.txt") == [false, false])
    #expect(observed.observer[FilePath(observed.root["a.txt"])]?.identity == .tag)
  }

  @Test func whatChangesIsTagged() async throws {
    let observed = try await begin()
    let before = observed.observer.snapshot()[FilePath(observed.root["a.txt"])]?.uuid
    try observed.root.append("a.txt")
    try observed.root.write(".b.new")
    try observed.root.rename(".b.new", "b.txt")
    try observed.root.write("new.txt")
    await observed.observer.synchronize()
    #expect(try observed.root.tag("a.txt") == before)
    #expect(try tags(observed, "b.txt", "new.txt", "c.txt") == [true, true, false])
  }

  @Test func whatIsObservedFromNowOnIsNotTagged() async throws {
    let observed = try await begin()
    try observed.root.write(".old")
    await observed.observer.stop()
    try await observed.observer.start()
    await observed.observer.synchronize()
    var configuration = observed.observer.configuration
    configuration.includesHiddenItems = true
    try observed.observer.reconfigure(configuration)
    await observed.observer.synchronize()
    #expect(observed.observer.snapshot().count == 5)
  }

  /// The tag of a copy must not be its original's when that is gone.
  @Test(arguments: ["copy.txt", ".copy.txt"]) func aCopyThatIsFoundGetsItsOwnTag(_ name: String) async throws {
    let observed = try await begin()
    try observed.root.append("a.txt")
    await observed.observer.synchronize()
    let original = try observed.uuid("a.txt")
    if name.hasPrefix(".") {
      try copy(observed, name)
      var configuration = observed.observer.configuration
      configuration.includesHiddenItems = true
      try observed.observer.reconfigure(configuration)
    } else {
      await observed.observer.stop()
      try copy(observed, name)
      try await observed.observer.start()
    }
    await observed.observer.synchronize()
    let copy = try observed.root.tag(name)
    #expect(copy == observed.observer[FilePath(observed.root[name])]?.uuid && copy != original)
    #expect(try observed.root.tag("a.txt") == original)
    #expect(try tags(observed, "b.txt") == [false])
  }

  private func copy(_ observed: ObservedFolder, _ name: String) throws {
    try Command.run("cp", "-a", observed.root["a.txt"], observed.root[name])
  }
}

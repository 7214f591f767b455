import Dispatch
import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// Where blocks run, and how long they are registered.
@Suite(.light) struct RegistrationTests {
  /// What an app has one of for each window.
  @MainActor private final class Window {
    private(set) var names: [String] = []

    func take(_ event: FileSystemObserver.Event) { names += RegistrationTests.names(event) }
  }

  /// Something that may be used from any thread.
  private final class Owner: Sendable {
    let names: Feed<String>

    init(_ names: Feed<String>) {
      self.names = names
    }
  }

  private static func names(_ event: FileSystemObserver.Event) -> [String] {
    guard case .didChange(let set) = event else { return [] }
    return set.compactMap { $0.path.lastComponent?.string }
  }

  private func begin() async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin()
    await observed.observer.synchronize()
    return observed
  }

  private func make(_ name: String, in observed: ObservedFolder) async throws {
    try observed.root.mkdir(name)
    await observed.observer.synchronize()
  }
}

// MARK: - The main actor

extension RegistrationTests {
  @Test @MainActor func aBlockMayUseWhatBelongsToTheMainActor() async throws {
    let observed = try await begin()
    let window = Window()
    let token = observed.observer.addNotificationBlock(on: MainActor.shared) { _, event in window.take(event) }
    try await make("a", in: observed)
    #expect(window.names == ["a"])
    token.invalidate()
    try await make("b", in: observed)
    #expect(window.names == ["a"])
  }

  @Test @MainActor func theStateComesToTheMainActor() async throws {
    let observed = try await begin()
    try await make("a", in: observed)
    var counts: [Int] = []
    let token = observed.observer.addNotificationBlock(on: MainActor.shared, startingWith: .snapshot) { _, event in
      if case .reset(let snapshot, .initial) = event { counts.append(snapshot.count) }
    }
    await observed.observer.synchronize()
    #expect(counts == [1])
    withExtendedLifetime(token) {}
  }

  /// A window is closed while a block waits for the main thread: to wait for the block would last for ever.
  @Test @MainActor func invalidatingOnTheMainThreadDoesNotWaitForABlockThatWaitsForIt() async throws {
    let observed = try await begin()
    let entered = DispatchSemaphore(value: 0), served = DispatchSemaphore(value: 0)
    let outcomes = Feed<Bool>()
    let token = observed.observer.addNotificationBlock { _, _ in
      entered.signal()
      DispatchQueue.main.async { served.signal() }
      outcomes.append(served.wait(timeout: .now() + 20) == .success)
    }
    try observed.root.mkdir("a")
    Self.wait(for: entered)
    token.invalidate()
    _ = await outcomes.firstIndex(within: .seconds(60)) { _ in true }
    #expect(outcomes.elements == [true])
    withExtendedLifetime(observed) {}
  }

  /// Holds up the main thread.
  @MainActor private static func wait(for semaphore: DispatchSemaphore) {
    #expect(semaphore.wait(timeout: .now() + 60) == .success)
  }
}

// MARK: - Owners and collections

extension RegistrationTests {
  @Test func aBlockEndsWithItsOwner() async throws {
    let observed = try await begin()
    let names = Feed<String>()
    var owner: Owner? = Owner(names)
    weak let known = owner
    if let owner {
      observed.observer.observe(owner) { owner, event in
        for name in Self.names(event) { owner.names.append(name) }
      }
    }
    try await make("a", in: observed)
    #expect(names.elements == ["a"])
    // With optimisation it would be let go of after its last use.
    withExtendedLifetime(owner) {}
    owner = nil
    #expect(known == nil)
    try await make("b", in: observed)
    #expect(names.elements == ["a"])
  }

  /// The block goes with the registration, and with the block what it holds.
  @Test func whatABlockHoldsIsLetGoOfWithItsOwner() async throws {
    let observed = try await begin()
    let names = Feed<String>()
    weak var held: Owner?
    do {
      let owner = Owner(names), other = Owner(names)
      held = other
      observed.observer.observe(owner) { _, _ in other.names.append("called") }
      try await make("a", in: observed)
      #expect(names.count > 0)
      withExtendedLifetime(owner) {}
    }
    try await make("b", in: observed)
    #expect(try await comesTrue { held == nil })
  }

  @Test @MainActor func aBlockOnTheMainActorEndsWithItsOwner() async throws {
    let observed = try await begin()
    var window: Window? = Window()
    weak let known = window
    var names: [String] = []
    if let window {
      observed.observer.observe(window, on: MainActor.shared) { window, event in
        window.take(event)
        names = window.names
      }
    }
    try await make("a", in: observed)
    #expect(names == ["a"])
    withExtendedLifetime(window) {}
    window = nil
    try await make("b", in: observed)
    #expect(known == nil && names == ["a"])
  }

  @Test func aSetKeepsTokens() async throws {
    let observed = try await begin()
    let names = Feed<String>()
    var tokens: Set<NotificationToken> = []
    for _ in 0..<2 { register(names, in: observed).store(in: &tokens) }
    #expect(tokens.count == 2)
    try await make("a", in: observed)
    tokens.removeAll()
    try await make("b", in: observed)
    #expect(names.elements == ["a", "a"])
  }

  @Test func anArrayKeepsTokens() async throws {
    let observed = try await begin()
    let names = Feed<String>()
    var tokens: [NotificationToken] = []
    for _ in 0..<2 { register(names, in: observed).store(in: &tokens) }
    #expect(tokens.count == 2 && tokens.first != tokens.last)
    tokens.removeLast()
    try await make("a", in: observed)
    tokens.removeAll()
    try await make("b", in: observed)
    #expect(names.elements == ["a"])
  }

  private func register(_ names: Feed<String>, in observed: ObservedFolder) -> NotificationToken {
    observed.observer.addNotificationBlock { _, event in
      for name in Self.names(event) { names.append(name) }
    }
  }
}

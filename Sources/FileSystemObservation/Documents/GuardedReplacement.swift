package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// Puts a new file in the place of a document that another program may save at the last moment.
///
/// A look and a rename after it leave a moment between the two, in which another program's save would be lost. So the
/// two files exchange their names, and what comes out is looked at: if another program has saved it, it goes back.
package struct GuardedReplacement {
  /// How a replacement ended.
  package enum Outcome: Equatable {
    /// The new file has the document's name; the old file has the hidden name.
    case replaced
    /// The document is as another program left it; what nobody wants has the hidden name.
    case refused
    /// What another program saved last has the hidden name.
    case stuck(Errno)
  }

  /// What is done with the two names.
  package enum Step {
    /// Exchanges them.
    case exchange
    /// Looks at what has the hidden name.
    case look
    /// Gives the file with the hidden name the document's name, which is free.
    case putBack
  }

  /// Does a step; returns the status after a look, and nothing after another step.
  package typealias Perform = (Step) throws(Errno) -> FileStatus?

  /// What must be replaced, and nothing else.
  package enum Target: Sendable {
    /// The document with this version.
    case version(FileSystemObserver.ContentVersion)
    /// This file, whatever is in it.
    case file(FileKey)

    func isMet(by status: FileStatus) -> Bool {
      switch self {
      case .version(let version): FileSystemObserver.ContentVersion(status) == version
      case .file(let key): FileKey(status) == key
      }
    }
  }

  /// The new file.
  let made: FileKey
  let target: Target

  /// Another program would have to replace the document once for each attempt.
  private static let attemptLimit = 1_000

  package init(made: FileKey, replacing target: Target) {
    self.made = made
    self.target = target
  }

  /// Replaces the document.
  ///
  /// - Throws: The error of the first exchange: nothing has changed.
  package func run(_ perform: Perform) throws(Errno) -> Outcome {
    _ = try perform(.exchange)
    do throws(Errno) {
      guard let displaced = try perform(.look) else { return .refused }
      if target.isMet(by: displaced) { return .replaced }
      try giveBack(FileKey(displaced), perform)
      return .refused
    } catch {
      return .stuck(error)
    }
  }

  /// Exchanges the names until nobody has replaced what the last exchange put there: what came out last is the newest.
  private func giveBack(_ displaced: FileKey, _ perform: Perform) throws(Errno) {
    var (placed, newest) = (made, displaced)
    for _ in 0..<Self.attemptLimit {
      guard try exchanges(perform) else { return _ = try perform(.putBack) }
      guard let out = try perform(.look).map(FileKey.init), out != placed else { return }
      (placed, newest) = (newest, out)
    }
    throw .resourceBusy
  }

  /// Exchanges the names, unless another program has removed what was put there.
  private func exchanges(_ perform: Perform) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try perform(.exchange)
      return true
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
      return false
    }
  }
}

// MARK: - In a folder

extension TemporaryName {
  /// Replaces a document, and no other, with the file that has the hidden name.
  ///
  /// On a file system that cannot exchange names, the document is looked at just before the rename.
  mutating func replace(
    _ place: DocumentPlace, with made: FileKey, if target: GuardedReplacement.Target
  ) throws(Errno) -> GuardedReplacement.Outcome {
    guard target.isMet(by: try place.status()) else { return .refused }
    do throws(Errno) {
      return try exchange(with: place, GuardedReplacement(made: made, replacing: target))
    } catch {
      guard error.isUnsupportedExchange else { throw error }
      try publish(replacing: place.name)
      return .replaced
    }
  }

  /// Replaces a document by an exchange of names.
  mutating func exchange(
    with place: DocumentPlace, _ replacement: GuardedReplacement
  ) throws(Errno) -> GuardedReplacement.Outcome {
    let new = try DocumentPlace(folder: directory, name: name).openPath()
    var outcome = try replacement.run { step throws(Errno) in
      switch step {
      case .exchange:
        try exchange(with: place.name)
        return nil
      case .look: return try status()
      case .putBack:
        try publish(as: place.name)
        return nil
      }
    }
    if outcome == .refused, try isForeign(besides: new, replacement.made) { outcome = .stuck(.staleNFSFileHandle) }
    if case .stuck = outcome { abandon() }
    return outcome
  }

  /// Whether the hidden name has another item than the new one, which nobody has replaced.
  ///
  /// Then the new one was moved away, and the other may be a document of its own, and not an earlier version.
  private borrowing func isForeign(besides new: borrowing OwnedDescriptor, _ made: FileKey) throws(Errno) -> Bool {
    guard let hidden = try DocumentPlace(folder: directory, name: name).statusIfAny() else { return false }
    let status = try FileStatus.of(new)
    return FileKey(hidden) != made && status.linkCount > 0
  }
}

extension Errno {
  /// Whether the file system cannot exchange names.
  var isUnsupportedExchange: Bool { [.invalidArgument, .noFunction, .notSupported].contains(self) }
}

import FileEvents

/// Finds the exchanges among hints.
///
/// The kernel reports `RENAME_EXCHANGE` as two renames, the second the reverse of the first, under the locks of both
/// directories (vfs_rename). So no name in either changes between them, but writes and hints of other directories may
/// come between.
struct ExchangeFinder {
  /// What a half of a rename belongs to.
  enum Finding: Equatable {
    case rename
    /// An exchange. The hints at these indices are its other three halves.
    case exchange(to: Int, backFrom: Int, backTo: Int)
    /// An exchange with an unobserved entry. The hint at this index is of the entry that left the name.
    case exchangeWithUnseen(backFrom: Int)
    /// A rename so far. Hints that could show an exchange may be unread, perhaps also the other half.
    case undecided(to: Int?)
  }

  /// The maximum number of hints between the halves.
  private static let reach = 256

  let hints: [Hint]

  /// What the first half of a rename belongs to.
  func finding(at index: Int) -> Finding {
    let from = hints[index]
    guard let to = half(.movedTo, after: index, where: { $0.cookie == from.cookie }) else {
      return change(after: index, where: { $0.directory == from.directory }) == nil ? .undecided(to: nil) : .rename
    }
    let target = hints[to]
    let isNext = { (hint: Hint) in hint.directory == target.directory || hint.directory == from.directory }
    guard let backFrom = change(after: to, where: isNext) else {
      return to + Self.reach < hints.count ? .rename : .undecided(to: to)
    }
    let back = hints[backFrom]
    guard back.kinds.contains(.movedFrom), back.directory == target.directory, back.name == target.name else {
      return .rename
    }
    // Two renames of one file there and back are no exchange.
    if let file = from.file?.handle, file == back.file?.handle { return .rename }
    guard let backTo = change(after: backFrom, where: isNext) else { return .undecided(to: to) }
    let end = hints[backTo]
    let isEnd = end.kinds.contains(.movedTo) && end.cookie == back.cookie
    guard isEnd, end.directory == from.directory, end.name == from.name else { return .rename }
    return .exchange(to: to, backFrom: backFrom, backTo: backTo)
  }

  /// What a second half without a first half belongs to.
  func findingOfArrival(at index: Int) -> Finding {
    let target = hints[index]
    guard let backFrom = change(after: index, where: { $0.directory == target.directory }) else {
      return .undecided(to: nil)
    }
    let back = hints[backFrom]
    guard back.kinds.contains(.movedFrom), back.name == target.name else { return .rename }
    if let file = target.file?.handle, file == back.file?.handle { return .rename }
    let end = half(.movedTo, after: backFrom, where: { $0.cookie == back.cookie })
    return end == nil ? .exchangeWithUnseen(backFrom: backFrom) : .rename
  }

  /// Whether two renames are known to be of two files, and not of one file there and back.
  func isCertain(_ from: Int, _ backFrom: Int) -> Bool {
    guard let file = hints[from].file?.handle, let other = hints[backFrom].file?.handle else { return false }
    return file != other
  }

  private func half(_ kind: HintKinds, after index: Int, where matches: (Hint) -> Bool) -> Int? {
    hints.indices[(index + 1)...].prefix(Self.reach).first { hints[$0].kinds.contains(kind) && matches(hints[$0]) }
  }

  /// The next hint that changes a name.
  func change(after index: Int, where matches: (Hint) -> Bool) -> Int? {
    hints.indices[(index + 1)...].prefix(Self.reach).first {
      hints[$0].kinds.hasAny(of: .nameChanges) && hints[$0].name != nil && matches(hints[$0])
    }
  }
}

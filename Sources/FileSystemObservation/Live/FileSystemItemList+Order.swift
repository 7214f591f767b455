public import FoundationEssentials

extension FileSystemItemList {
  /// The order of the rows of a list.
  ///
  /// Every order is total: rows that it does not distinguish are ordered by their names, then by their UUIDs. So the
  /// same items are always in the same order.
  ///
  /// ```swift
  /// list.order = .modificationDate.reversed().foldersFirst()
  /// ```
  public struct Order: Sendable, Hashable {
    /// A property that rows are compared by.
    enum Property: Sendable, Hashable {
      case folders
      case name
      case own(OwnKey)
      case modificationDate
      case creationDate
      case size
      case kind
    }

    /// A property with its direction.
    struct Clause: Sendable, Hashable {
      var property: Property
      var isReversed = false
    }

    /// The properties to compare, the most important first.
    private(set) var clauses: [Clause]

    private init(_ clauses: [Clause]) {
      self.clauses = clauses
    }

    /// By name, as people expect: numbers by their value, without regard to case.
    ///
    /// It does not depend on the language; see ``name(key:)`` for that.
    public static let name = Order([Clause(property: .name)])

    /// By the modification time of the content, the oldest first.
    public static let modificationDate = Order([Clause(property: .modificationDate)])

    /// By the creation time, the oldest first; items without one come before all others.
    public static let creationDate = Order([Clause(property: .creationDate)])

    /// By size, the smallest first; directories count as empty.
    public static let size = Order([Clause(property: .size)])

    /// Directories, then files by their extensions, those without one first.
    public static let kind = Order([Clause(property: .kind)])

    /// By a key that the app computes from the name, for example with the rules of a language.
    ///
    /// - Parameter key: Returns the key, which is compared byte by byte, such as that of `strxfrm(3)` or
    ///   `g_utf8_collate_key_for_filename`. Called once for each name of a list, in ``update()`` or when a list is
    ///   made. Two orders with keys are equal only if one is a copy of the other.
    public static func name(key: @escaping @Sendable (String) -> [UInt8]) -> Order {
      Order([Clause(property: .own(OwnKey(.name(key))))])
    }

    /// By a number that the app knows of a document, such as a rating or a date, the smallest first.
    ///
    /// ```swift
    /// let byRating = FileSystemItemList.Order.number { uuid in
    ///   MainActor.assumeIsolated { self.ratings[uuid].map { Double($0) } }  // a list of the main actor
    /// }
    /// ```
    ///
    /// The function must read the present values: a copy of them that it has captured stays as it was. A list keeps the
    /// number of each row: after some of them have changed, call ``reloadItems(with:)``.
    ///
    /// - Parameter number: Returns the number of the item with a UUID; items without one come before all others, and so
    ///   do those with NaN. Called once for each row, in ``update()`` or when a list is made, on the actor of the list.
    ///   Two orders with functions are equal only if one is a copy of the other.
    public static func number(_ number: @escaping @Sendable (UUID) -> Double?) -> Order {
      Order([Clause(property: .own(OwnKey(.number(number))))])
    }

    /// By a text that the app knows of a document, such as its author, in the order of names.
    ///
    /// A list keeps the text of each row: after some of them have changed, call ``reloadItems(with:)``.
    ///
    /// - Parameter text: Returns the text of the item with a UUID; items without one come before all others. Called as
    ///   with ``number(_:)``.
    public static func text(_ text: @escaping @Sendable (UUID) -> String?) -> Order {
      Order([Clause(property: .own(OwnKey(.text(text))))])
    }

    /// The opposite order; directories that come first still do.
    public func reversed() -> Order {
      Order(
        clauses.map { clause in
          clause.property == .folders
            ? clause : Clause(property: clause.property, isReversed: !clause.isReversed)
        })
    }

    /// The same order with all directories before all other items.
    public func foldersFirst() -> Order {
      Order([Clause(property: .folders)] + clauses.filter { $0.property != .folders })
    }

    /// The same order, and another for the rows that it does not distinguish.
    public func then(_ next: Order) -> Order { Order(clauses + next.clauses) }
  }
}

/// A violation of a rule.
package struct Violation: Sendable {
  /// The violated rule; it must stay the same while a failure is shortened.
  package enum Rule: String, Sendable {
    /// Whether it cannot hold in each world after an observer forgot what it had announced and decided.
    var needsMemory: Bool { self == .content || self == .identity || self == .untouched }

    /// The announcements contradict each other.
    case contradiction
    /// Replaying the announcements does not give the tree on disk.
    case replay
    /// The graph differs from the disk.
    case graph
    /// A file's tag is not the announced UUID.
    case tag
    /// Two files have one UUID, or one file two.
    case ambiguity
    /// A document that was renamed, moved or saved did not keep its UUID.
    case identity
    /// Something was announced of an item that no operation touched.
    case untouched
    /// The announcements of an operation are not the expected ones.
    case saying
    /// A file's content changed without an announcement.
    case content
    /// A file was not announced as finished exactly once, or too early.
    case finish
    /// A temporary table has entries left.
    case books
    /// The observer does not come to rest.
    case unrest
    /// The engine's state contradicts itself.
    case invariant
  }

  package var rule: Rule
  package var text: String

  /// The subject: a table, or a kind of operation.
  package var subject: String

  /// The kind of fault.
  package var kind: String { subject.isEmpty ? "\(rule)" : "\(rule) of \(subject)" }

  init(_ rule: Rule, _ text: String, subject: String) {
    self.rule = rule
    self.subject = subject
    self.text = text
  }
}

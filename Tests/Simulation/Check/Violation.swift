/// What was found to be wrong.
package struct Violation: Sendable {
  /// Which rule is violated; while a failure is being shortened, it must stay the same.
  package enum Rule: String, Sendable {
    /// What was told contradicts itself.
    case contradiction
    /// Replaying what was told does not give what is on disk.
    case replay
    /// The graph is not what is on disk.
    case graph
    /// A file does not bear the UUID told.
    case tag
    /// Two files have one UUID, or one file two.
    case ambiguity
    /// A document that was renamed, moved or saved did not keep its UUID.
    case identity
    /// Something was said of an item to which nothing happened.
    case untouched
    /// What was said of an operation is not what is due.
    case saying
    /// A file's content was changed, and nothing was told of that.
    case content
    /// A file was told as finished not once, or too early.
    case finish
    /// Something is remembered that should be forgotten.
    case books
    /// The observer does not come to rest.
    case unrest
  }

  package var rule: Rule
  package var text: String

  /// What it is about: a book, or a kind of operation.
  package var subject: String

  /// What tells one kind of fault from another.
  package var kind: String { subject.isEmpty ? "\(rule)" : "\(rule) of \(subject)" }

  init(_ rule: Rule, _ text: String, subject: String) {
    self.rule = rule
    self.subject = subject
    self.text = text
  }
}

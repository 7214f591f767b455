/// Whether a condition without an event becomes true within a minute.
package func comesTrue(_ condition: () throws -> Bool) async throws -> Bool {
  let deadline = Moment.now + .seconds(60)
  while try !condition() {
    if Moment.now > deadline { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}

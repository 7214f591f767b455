/// Whether something is true soon that nothing tells of.
package func comesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
  let deadline = Moment.now + .seconds(60)
  while try !condition() {
    if Moment.now > deadline { return false }
    await Task.yield()
  }
  return true
}

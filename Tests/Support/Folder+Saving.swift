import SystemPackage

extension Folder {
  /// `cp -a`: a copy with all attributes, the tag among them.
  package func copy(_ old: String, _ new: String) throws { try Command.run("cp", "-a", self[old], self[new]) }

  /// Saves a file as most editors do: another file takes its place.
  ///
  /// - Parameter keepingTag: Whether the editor copies attributes.
  package func saveByReplacement(_ name: String, keepingTag: Bool) throws {
    let uuid = try tag(name)
    try write("\(name).new", "new text")
    if keepingTag, let uuid { try setTag("\(name).new", uuid) }
    try rename("\(name).new", name)
  }
}

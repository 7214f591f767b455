import FileSystemObservation

// The examination for programs: one JSON object.

extension FileSystemObserver.Examination {
  /// The object on one line, without a line feed.
  var json: [UInt8] {
    var object = JSONObject()
    object.add("path", directory)
    object.add("kernel", kernel)
    object.add("needsAttention", needsAttention)
    object.add("folders", directoryCount)
    object.add("files", fileCount)
    object.add("tagged", taggedCount)
    object.add("fileSystems", mounts.map(Self.object))
    object.add("limits", limits.map(Self.object))
    object.add("unreadableFolders", unreadable.count)
    if let first = unreadable.path { object.add("unreadableFolder", first) }
    if let first = unanswering.path { object.add("unansweringFolder", first) }
    let untaggable = untaggable.sorted { $0.key.rawValue < $1.key.rawValue }
    object.add("untaggable", untaggable.map { Self.object(for: $0.key, $0.value) })
    object.add("gitWorkingTrees", gitWorkingTrees.map(Self.object))
    object.add("problems", problems.map(Self.object))
    return object.finished()
  }

  private static func object(for mount: Mount) -> JSONObject {
    var object = JSONObject()
    object.add("path", mount.path)
    object.add("type", mount.type)
    object.add("readOnly", mount.isReadOnly)
    object.add("source", mount.source.rawValue)
    object.add("reason", mount.reason)
    if let tags = mount.takesTags { object.add("tags", tags) }
    if let leases = mount.hasLeases { object.add("leases", leases) }
    object.add("birthTimes", mount.hasBirthTimes)
    object.add("folders", mount.directoryCount)
    return object
  }

  private static func object(for limit: Limit) -> JSONObject {
    var object = JSONObject()
    object.add("name", limit.resource.rawValue)
    object.add("setting", limit.name)
    object.add("value", limit.value)
    object.add("used", limit.used)
    object.add("needed", limit.needed)
    object.add("enough", limit.isEnough)
    if let command = limit.command { object.add("command", command) }
    return object
  }

  private static func object(for reason: FileSystemObserver.SkipReason, _ group: Group) -> JSONObject {
    var object = JSONObject()
    object.add("reason", reason.rawValue)
    object.add("count", group.count)
    if let first = group.path { object.add("path", first) }
    return object
  }

  private static func object(for tree: WorkingTree) -> JSONObject {
    var object = JSONObject()
    object.add("path", tree.path)
    object.add("trustctime", tree.trustsChangeTimes)
    return object
  }

  private static func object(for problem: Problem) -> JSONObject {
    var object = JSONObject()
    object.add("message", problem.message)
    object.add("advice", problem.advice)
    return object
  }
}

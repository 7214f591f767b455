import FileEvents
import FileSystemObservation
import LinuxFileSystem

// The same for a program: one object.

extension Diagnosis {
  /// The object on one line, without its end.
  var json: [UInt8] {
    var object = JSONObject()
    object.add("path", directory)
    object.add("kernel", kernel)
    object.add("needsAttention", needsAttention)
    object.add("folders", folderCount)
    object.add("files", fileCount)
    object.add("tagged", taggedCount)
    object.add("fileSystems", mounts.map(Self.object))
    object.add("limits", limits.map(Self.object))
    object.add("unreadableFolders", unreadable.count)
    if let first = unreadable.first { object.add("unreadableFolder", first) }
    object.add(
      "untaggable",
      untaggable.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, group in
        var object = JSONObject()
        object.add("reason", reason.rawValue)
        object.add("count", group.count)
        if let first = group.first { object.add("path", first) }
        return object
      })
    object.add(
      "gitWorkingTrees",
      gitTrees.map { tree in
        var object = JSONObject()
        object.add("path", tree.path)
        object.add("trustctime", tree.trustsChangeTimes)
        return object
      })
    object.add(
      "problems",
      problems.map { problem in
        var object = JSONObject()
        object.add("message", problem.what)
        object.add("advice", problem.advice)
        return object
      })
    return object.finished()
  }

  private static func object(for mount: MountReport) -> JSONObject {
    var object = JSONObject()
    object.add("path", mount.path)
    object.add("type", mount.type)
    object.add("readOnly", mount.isReadOnly)
    object.add("source", mount.source.name.rawValue)
    object.add("reason", mount.source.reason)
    if let tags = mount.takesTags { object.add("tags", tags) }
    if let leases = mount.hasLeases { object.add("leases", leases) }
    object.add("birthTimes", mount.hasBirthTimes)
    object.add("folders", mount.folderCount)
    return object
  }

  private static func object(for report: LimitReport) -> JSONObject {
    var object = JSONObject()
    object.add("name", report.limit.rawValue)
    object.add("setting", report.setting)
    object.add("value", report.value)
    object.add("used", report.used)
    object.add("needed", report.needed)
    object.add("enough", report.isEnough)
    if !report.isEnough, let advice = report.limit.advice(needed: report.used + report.needed) {
      object.add("command", advice.command)
    }
    return object
  }
}

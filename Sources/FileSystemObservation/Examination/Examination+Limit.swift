internal import LinuxFileSystem

extension FileSystemObserver.Examination {
  /// A limited resource.
  @nonexhaustive
  public enum Resource: String, Sendable, Hashable, Codable, CaseIterable {
    /// inotify watches of a user: one for each directory.
    case inotifyWatches
    /// inotify instances of a user.
    case inotifyInstances
    /// fanotify marks of a user: one for each directory.
    case fanotifyMarks
    /// fanotify groups of a user.
    case fanotifyGroups
    /// Open files of this process.
    case processDescriptors
    /// Open files of this machine.
    case systemDescriptors
    /// Memory.
    case memory
  }

  /// A system limit that matters for the tree.
  public struct Limit: Sendable, Hashable, Codable {
    /// The limited resource.
    public let resource: Resource
    /// The name of the setting in force, for example `fs.inotify.max_user_watches`.
    public let name: String
    /// The current value.
    public let value: Int
    /// The amount in use by all visible processes of this user.
    public let used: Int
    /// The amount that an observer of the directory needs.
    public let needed: Int
    /// A sufficient value; `nil` if the limit is sufficient.
    public let suggestedValue: Int?
    /// The shell command that sets the suggested value.
    public let command: String?
    /// Who can run the command, for example `an administrator of this machine`.
    public let whoCanRaise: String?

    /// The amount left.
    public var room: Int { max(0, value - used) }

    /// Whether the amount left is sufficient.
    public var isEnough: Bool { needed <= room }
  }
}

extension FileSystemObserver.Examination.Resource: CustomStringConvertible {
  /// The name of the resource for the user, for example `inotify watches of a user`.
  public var description: String { limit.subject }

  private var limit: ResourceLimit {
    switch self {
    case .inotifyWatches: .inotifyWatches
    case .inotifyInstances: .inotifyInstances
    case .fanotifyMarks: .fanotifyMarks
    case .fanotifyGroups: .fanotifyGroups
    case .processDescriptors: .processDescriptors
    case .systemDescriptors: .systemDescriptors
    case .memory: .memory
    }
  }

  init(_ limit: ResourceLimit) {
    self =
      switch limit {
      case .inotifyWatches: .inotifyWatches
      case .inotifyInstances: .inotifyInstances
      case .fanotifyMarks: .fanotifyMarks
      case .fanotifyGroups: .fanotifyGroups
      case .processDescriptors: .processDescriptors
      case .systemDescriptors: .systemDescriptors
      case .memory: .memory
      }
  }
}

extension FileSystemObserver.Examination.Limit {
  init(_ limit: ResourceLimit, _ current: (setting: String, value: UInt64), used: UInt64, needed: UInt64) {
    let isEnough = needed <= current.value - min(current.value, used)
    let advice = isEnough ? nil : limit.advice(needed: used + needed)
    self.init(
      resource: FileSystemObserver.Examination.Resource(limit), name: current.setting,
      value: Int(clamping: current.value), used: Int(clamping: used), needed: Int(clamping: needed),
      suggestedValue: advice.map { Int(clamping: $0.value) }, command: advice?.command, whoCanRaise: advice?.who)
  }
}

internal import LinuxFileSystem

extension FileSystemObserver.Examination {
  /// What there is a limit of.
  @nonexhaustive
  public enum Resource: String, Sendable, Hashable, Codable, CaseIterable {
    /// Watches of inotify that a user may have: one for each directory.
    case inotifyWatches
    /// Instances of inotify that a user may have.
    case inotifyInstances
    /// Marks of fanotify that a user may have: one for each directory.
    case fanotifyMarks
    /// Groups of fanotify that a user may have.
    case fanotifyGroups
    /// Files that this process may have open.
    case processDescriptors
    /// Files that may be open on this machine.
    case systemDescriptors
    /// Memory.
    case memory
  }

  /// A limit of the system that matters for the tree.
  public struct Limit: Sendable, Hashable, Codable {
    /// What it is a limit of.
    public let resource: Resource
    /// The name of the setting that is in force, as `fs.inotify.max_user_watches`.
    public let name: String
    /// Its value.
    public let value: Int
    /// How much is used, by all processes of this user that can be seen.
    public let used: Int
    /// How many an observer of the directory needs.
    public let needed: Int
    /// A value that would do; `nil` where the limit is enough.
    public let suggestedValue: Int?
    /// The command of a shell that sets that value.
    public let command: String?
    /// Who can do that, as `an administrator of this machine`.
    public let whoCanRaise: String?

    /// How many are left.
    public var room: Int { max(0, value - used) }

    /// Whether what is left is as many as are needed.
    public var isEnough: Bool { needed <= room }
  }
}

extension FileSystemObserver.Examination.Resource: CustomStringConvertible {
  /// What it is, for a person: `inotify watches of a user`.
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

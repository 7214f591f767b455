internal import CLinux
import Glibc
internal import SystemPackage

/// A limit of a user or a process on which observation depends.
package enum ResourceLimit: String, Hashable, Sendable, CaseIterable {
  case inotifyWatches, inotifyInstances, fanotifyMarks, fanotifyGroups, processDescriptors, systemDescriptors, memory

  /// The setting of the machine (sysctl(8)).
  private var machineSetting: String? {
    switch self {
    case .inotifyWatches: "fs.inotify.max_user_watches"
    case .inotifyInstances: "fs.inotify.max_user_instances"
    case .fanotifyMarks: "fs.fanotify.max_user_marks"
    case .fanotifyGroups: "fs.fanotify.max_user_groups"
    case .systemDescriptors: "fs.file-max"
    case .processDescriptors, .memory: nil
    }
  }

  /// The setting of the user namespace, which may be lower in a container.
  private var namespaceSetting: String? {
    switch self {
    case .inotifyWatches: "user.max_inotify_watches"
    case .inotifyInstances: "user.max_inotify_instances"
    case .fanotifyMarks: "user.max_fanotify_marks"
    case .fanotifyGroups: "user.max_fanotify_groups"
    case .processDescriptors, .systemDescriptors, .memory: nil
    }
  }

  /// The limited resource.
  package var subject: String {
    switch self {
    case .inotifyWatches: "inotify watches of a user"
    case .inotifyInstances: "inotify instances of a user"
    case .fanotifyMarks: "fanotify marks of a user"
    case .fanotifyGroups: "fanotify groups of a user"
    case .processDescriptors: "open files of this process"
    case .systemDescriptors: "open files of this machine"
    case .memory: "memory"
    }
  }
}

// MARK: - Values

extension ResourceLimit {
  /// The effective setting (sysctl(8)) and its value.
  package var current: (setting: String, value: UInt64)? {
    if self == .processDescriptors { return Self.descriptorLimits.map { ("ulimit -n", $0.soft) } }
    let settings = [machineSetting, namespaceSetting].compactMap { $0 }
    let known = settings.compactMap { setting in Self.value(of: setting).map { (setting, $0) } }
    return known.min { $0.1 < $1.1 }
  }

  private static func value(of setting: String) -> UInt64? {
    let path = "/proc/sys/" + setting.split(separator: ".", maxSplits: 2).joined(separator: "/")
    guard let text = SmallFile.text(of: FilePath(path)) else { return nil }
    return UInt64(text.prefix { $0.isNumber })
  }

  /// The limits of open descriptors of this process.
  package static var descriptorLimits: (soft: UInt64, hard: UInt64)? {
    var soft: UInt64 = 0
    var hard: UInt64 = 0
    guard unsafe clinux_descriptor_limits(&soft, &hard) == 0 else { return nil }
    return (soft, hard)
  }

  /// Whether this process has no free descriptor.
  package static var areDescriptorsUsedUp: Bool {
    let number = Glibc.dup(STDIN_FILENO)
    guard number < 0 else {
      _ = Glibc.close(number)
      return false
    }
    return errno == EMFILE
  }
}

// MARK: - Advice

extension ResourceLimit {
  /// The person who can raise the limit, and the command for it.
  ///
  /// - Parameter needed: The smallest sufficient value, if it is known.
  package func advice(needed: UInt64 = 0) -> Advice? {
    switch self {
    case .memory: return nil
    case .processDescriptors: return descriptorAdvice(needed)
    default: break
    }
    guard let (setting, value) = current else { return nil }
    let isOfNamespace = setting == namespaceSetting && machineSetting.flatMap { Self.value(of: $0) } != value
    let who = isOfNamespace ? "whoever runs this container" : "an administrator of this machine"
    let wanted = Self.rounded(value, needed)
    return Advice(who: who, value: wanted, command: "sudo sysctl \(setting)=\(wanted)")
  }

  /// How to raise a limit.
  package struct Advice: Sendable {
    /// The person who can do it.
    package var who: String
    /// The sufficient value.
    package var value: UInt64
    /// The shell command that sets it.
    package var command: String
  }

  private func descriptorAdvice(_ needed: UInt64) -> Advice? {
    guard let (soft, hard) = Self.descriptorLimits else { return nil }
    let wanted = Self.rounded(soft, needed)
    if wanted <= hard {
      return Advice(who: "whoever starts this program", value: wanted, command: "ulimit -n \(wanted)")
    }
    return Advice(
      who: "an administrator of this machine", value: wanted,
      command: "sudo prlimit --nofile=\(wanted):\(wanted) --pid \(getpid())")
  }

  /// A power of two, at least twice the number.
  private static func rounded(_ value: UInt64, _ needed: UInt64) -> UInt64 {
    let least = max(min(value, 1 << 40) * 2, min(needed, 1 << 40), 1024)
    var power: UInt64 = 1
    while power < least { power *= 2 }
    return power
  }

  /// One or two sentences for people: the limit, its value, the person to ask, and the remedy.
  package func explanation(needed: UInt64 = 0) -> String {
    guard let (setting, value) = current else { return "there is not enough \(subject)" }
    let what = "the limit of \(subject) is reached (\(setting) is \(value))"
    guard let advice = advice(needed: needed) else { return what }
    return "\(what); \(advice.who) raises it with: \(advice.command)"
  }
}

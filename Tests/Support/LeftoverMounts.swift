internal import CTestSystem
internal import Glibc
internal import LinuxFileSystem
internal import SystemPackage

/// Mounts of test processes that were killed, at which every program hangs that looks at all mounts.
package enum LeftoverMounts {
  /// Detaches those whose process has ended.
  package static func detach() {
    for mount in Mount.all() where hasEnded(mount.source) {
      _ = unsafe ctest_detach_mount(mount.path.string)
    }
  }

  private static func hasEnded(_ source: String) -> Bool {
    guard source.hasPrefix(ctest_mount_source), let process = pid_t(source.dropFirst(ctest_mount_source.count)) else {
      return false
    }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}

import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

struct ReachedLimitTests {
  @Test func aRefusalIsUnderstood() {
    #expect(ReachedLimit(.noSpace, usesFanotify: false)?.limit == .inotifyWatches)
    #expect(ReachedLimit(.noSpace, usesFanotify: true)?.limit == .fanotifyMarks)
    #expect(ReachedLimit(.tooManyOpenFiles, usesFanotify: false)?.limit == .inotifyInstances)
    #expect(ReachedLimit(.tooManyOpenFiles, usesFanotify: true)?.limit == .fanotifyGroups)
    #expect(ReachedLimit(.tooManyOpenFilesInSystem, usesFanotify: true)?.limit == .systemDescriptors)
    #expect(ReachedLimit(.noMemory, usesFanotify: false)?.limit == .memory)
    for error in [Errno.permissionDenied, .noSuchFileOrDirectory, .notDirectory] {
      #expect(ReachedLimit(error, usesFanotify: false) == nil)
    }
  }
}

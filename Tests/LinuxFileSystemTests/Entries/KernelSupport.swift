import LinuxFileSystem
import Testing

/// Ends a test that needs calls which this kernel does not have.
func requireKernelSupport(for routes: AttributeRoute...) throws {
  guard routes.contains(.directoryCalls), AttributeRoute.preferred != .directoryCalls else { return }
  try Test.cancel("this kernel has no getxattrat(2)")
}

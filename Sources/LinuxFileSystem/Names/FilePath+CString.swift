import Glibc
package import SystemPackage

extension FilePath {
  /// Passes the path to a system call, and throws its typed error.
  func withCString<Value>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Value) throws(Errno) -> Value {
    let result: Result<Value, Errno> = unsafe withPlatformString { (cString) in
      do throws(Errno) {
        return .success(try unsafe body(cString))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension FileName {
  /// The name of one component of a path.
  package init(_ component: FilePath.Component) {
    self = unsafe component.withPlatformString { start in
      unsafe FileName(bytes: UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
  }
}

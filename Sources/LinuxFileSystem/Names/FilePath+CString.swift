import Glibc
package import SystemPackage

extension FilePath {
  /// Gives the path to a system call, with the call's typed error.
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
  /// The bytes of one component of a path.
  package init(_ component: FilePath.Component) {
    self = unsafe component.withPlatformString { start in
      unsafe FileName(bytes: UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
  }
}

import Glibc

/// The running kernel, in the form of `uname -sr`.
package enum KernelVersion {
  package static var description: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "Linux" }
    return text(&name.sysname) + " " + text(&name.release)
  }

  private static func text<Characters>(_ characters: inout Characters) -> String {
    unsafe withUnsafeBytes(of: &characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The reason why a URL names no file of this machine.
enum UnusableURL: Error, Hashable {
  case noFile, anotherHost, empty, relative, nul

  /// The reason and the advice, for a message.
  var explanation: Message {
    switch self {
    case .noFile: "it is no file URL; make one with URL(filePath:)"
    case .anotherHost: "it names a file of another machine; give one of this machine, as in file:///home/me"
    case .empty: "its path is empty, or \"./\"; name the folder or file itself"
    case .relative: "its path is relative to nothing; make one with URL(filePath:)"
    case .nul: "it contains a NUL, which no file name has"
    }
  }

  /// The error for a URL given by the app.
  func error(for url: URL) -> FileSystemObserverError {
    FileSystemObserverError(
      code: .invalidArgument, sentence: "the URL \"\(url.absoluteString)\" cannot be used: \(explanation)")
  }
}

extension FilePath {
  /// The path of a file URL, absolute and without `.` and `..`.
  ///
  /// A URL relative to another file URL is resolved against it; those of `URL(filePath:)` are relative to the working
  /// directory. A URL that adds nothing to the working directory usually comes from an empty string, and is rejected.
  init(_ url: URL) throws(UnusableURL) {
    guard url.isFileURL else { throw .noFile }
    guard url.relativeString != "./" else { throw .empty }
    let absolute = url.absoluteURL
    guard ["", "localhost"].contains(absolute.host() ?? "") else { throw .anotherHost }
    let bytes = absolute.path(percentEncoded: true).utf8.removingPercentEncoding
    guard let first = bytes.first else { throw .empty }
    guard first == UInt8(ascii: "/") else { throw .relative }
    guard !bytes.contains(0) else { throw .nul }
    self = FilePath(bytes: bytes).lexicallyNormalized()
  }

  /// The path of a file URL that the app gave; throws if the URL is unusable.
  init(argument url: URL) throws(FileSystemObserverError) {
    do throws(UnusableURL) {
      try self.init(url)
    } catch {
      throw error.error(for: url)
    }
  }
}

extension Sequence<UInt8> {
  /// The bytes with percent encoding removed; they need not be UTF-8.
  fileprivate var removingPercentEncoding: [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(self)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        rest = rest.dropFirst(2)
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

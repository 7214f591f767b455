public import FileSystemObservation
public import Foundation

extension FileSystemObserverError: LocalizedError {
  /// The message, which `localizedDescription` returns.
  public var errorDescription: String? { message }
}

extension FileSystemObserverError: CustomNSError {
  /// The domain of the errors.
  public static var errorDomain: String { "FileSystemObserverError" }

  /// The error number of the failed system call, or 0.
  public var errorCode: Int { Int(errno?.rawValue ?? 0) }
}

extension FileBookmarkError: LocalizedError {
  /// The message, which `localizedDescription` returns.
  public var errorDescription: String? { message }

  /// The advice, if there is any.
  public var recoverySuggestion: String? { advice.isEmpty ? nil : advice }
}

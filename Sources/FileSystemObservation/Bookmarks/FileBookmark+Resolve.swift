internal import LinuxFileSystem

extension FileBookmark {
  /// Finds the file, and takes no other for it that can be told from it.
  ///
  /// First the last known path is looked at; if the file is there, nothing else is. Then observers and stores are asked,
  /// the file handle is tried (which needs the capability CAP_DAC_READ_SEARCH), and folders are searched: each item in
  /// them is looked at once. Symbolic links are not followed, only directories are opened, and a mount that does not
  /// answer is left out. Nothing is written.
  ///
  /// A file that bears the same tag is a copy while the file itself is found. A file that took the place of one that is
  /// gone was saved; ``Evidence/place`` says when that is the only evidence.
  ///
  /// The work is done on another thread. When the task is cancelled, the search ends with `cancelled`.
  ///
  /// - Parameter places: Where to look besides the last known path, in any order.
  /// - Throws: `notFound`; `ambiguous` with the candidates, if the file itself is gone and nothing tells which took its place;
  ///   `notReadable` or `notAnswering`, if nobody can tell what is at the last known path, or a place cannot be asked and
  ///   the file is at no other; `cancelled`.
  public func resolve(in places: [Place] = []) async throws(FileBookmarkError) -> Resolution {
    let isCancelled = Mutex(false)
    let result = await withTaskCancellationHandler {
      await offThread { () throws(Never) in
        Result { () throws(FileBookmarkError) in
          try BookmarkSearch(self) { isCancelled.withLock { $0 } }.resolve(in: places)
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try result.get()
  }
}

import LinuxFileSystem

extension FileSystemObserver {
  private static let sharedObserver = Mutex<FileSystemObserver?>(nil)

  /// The observer that the whole app shares.
  ///
  /// By default it observes the user's documents folder. To use another, set it before the first use; a later set stops
  /// the former observer, and applies only to code that reads this property afterwards.
  ///
  /// The observer does not run until it is started. It writes a tag to each file in its directory, of any program,
  /// unless ``Configuration/tagging`` says otherwise.
  public static var shared: FileSystemObserver {
    get {
      sharedObserver.withLock { observer in
        let shared = observer ?? FileSystemObserver()
        observer = shared
        return shared
      }
    }
    set {
      let former = sharedObserver.withLock { observer in
        defer { observer = newValue }
        return observer === newValue ? nil : observer
      }
      former?.stop()
    }
  }
}

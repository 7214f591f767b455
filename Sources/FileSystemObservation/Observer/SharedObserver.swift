import LinuxFileSystem

extension FileSystemObserver {
  private static let sharedObserver = Mutex<FileSystemObserver?>(nil)

  /// The observer that the whole app uses.
  ///
  /// At first it is one of the user's documents folder. Set another before you use it for the first time; what is set
  /// later is for those who ask from then on, and the former one is stopped.
  ///
  /// It does not run until it is started. Mind that an observer gives a tag to each file in its directory, of whatever
  /// program, unless its ``Configuration/tagging`` says otherwise.
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

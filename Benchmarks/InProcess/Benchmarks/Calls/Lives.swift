import Benchmark

/// An observer is started in a tree whose files have their tags, and stopped when it knows them.
func lives() {
  for folders in [1, 100] {
    Benchmark("start() until \(folders * 100) tagged files are known, and stop()") { _, tree in
      try tree.startAndWait()
      tree.observer.stop()
    } setup: { () throws -> ObservedTree in
      let tree = try ObservedTree(folders: folders)
      tree.observer.stop()
      return tree
    }
  }
}

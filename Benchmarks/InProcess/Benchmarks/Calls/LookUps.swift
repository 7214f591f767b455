import Benchmark
import FileSystemObservation
import Foundation
import SystemPackage

/// Which file is which, among 100,000.
func lookUps() {
  lookUp("path(forItemWith:)") { known, number in blackHole(known.observer.path(forItemWith: known.uuids[number])) }
  lookUp("url(forItemWith:)") { known, number in blackHole(known.observer.url(forItemWith: known.uuids[number])) }
  lookUp("uuid(forItemAt:)") { known, number in blackHole(known.observer.uuid(forItemAt: known.paths[number])) }
  Benchmark("snapshot(), and one pass over it") { _, known in
    for item in known.observer.snapshot() { blackHole(item.uuid) }
  } setup: {
    try KnownItems()
  }
}

private func lookUp(_ name: String, _ call: @escaping @Sendable (KnownItems, Int) -> Void) {
  Benchmark(name, configuration: .init(scalingFactor: .kilo)) { benchmark, known in
    for number in benchmark.scaledIterations { call(known, number % known.uuids.count) }
  } setup: {
    try KnownItems()
  }
}

/// Some of the items of a tree, from all over it.
private struct KnownItems: Sendable {
  let paths: [FilePath]
  let uuids: [UUID]
  private let tree: ObservedTree
  var observer: FileSystemObserver { tree.observer }

  init() throws {
    tree = try ObservedTree(folders: 1_000)
    let items = tree.observer.snapshot().shuffled().prefix(1_000)
    paths = items.map(\.path)
    uuids = items.map(\.uuid)
  }
}

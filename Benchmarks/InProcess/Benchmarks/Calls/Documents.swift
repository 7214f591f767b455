import Benchmark
import Foundation

/// What an app does to its documents by way of the library.
func documents() {
  let contents = [UInt8](repeating: 32, count: 10_000)
  Benchmark("replaceContents(of:with:), 10,000 bytes") { _, tree in
    try tree.observer.replaceContents(of: tree.folder.appending(path: "folder 0/document 0.txt"), with: contents)
  } setup: {
    try ObservedTree(folders: 1)
  }
  Benchmark("duplicateItem(at:to:), and the copy removed") { _, tree in
    let copy = tree.folder.appending(path: "copy.txt")
    blackHole(try tree.observer.duplicateItem(at: tree.folder.appending(path: "folder 0/document 0.txt"), to: copy))
    try FileManager.default.removeItem(at: copy)
  } setup: {
    try ObservedTree(folders: 1)
  }
}

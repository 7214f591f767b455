// swift-tools-version: 6.2
import PackageDescription

/// What an app calls of the library, measured in its own process.
///
/// A package of its own: what it depends on takes minutes to fetch and build, and nothing else needs it.
let package = Package(
  name: "InProcess",
  dependencies: [
    .package(name: "FileSystemObservation", path: "../.."),
    // Without its traits: they count allocations, and are not for this platform.
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
  ],
  targets: [
    // The plugin looks for what is in a folder of this name.
    .executableTarget(
      name: "Calls",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "FileSystemObservation", package: "FileSystemObservation"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Benchmarks/Calls",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)

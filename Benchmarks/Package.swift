// swift-tools-version: 6.2
import PackageDescription

/// Settings shared by every Swift target, as in the package that is measured.
let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "FileSystemObservation", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
  ],
  targets: [
    // What the kernel costs without anything on top.
    .target(name: "CFloor", cSettings: [.define("_GNU_SOURCE")]),
    // Whole processes against each other, in turns.
    .executableTarget(
      name: "contest",
      dependencies: [
        "CFloor",
        .product(name: "FileSystemObservation", package: "FileSystemObservation"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

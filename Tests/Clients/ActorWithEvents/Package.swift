// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "ActorWithEvents",
  dependencies: [
    .package(name: "FileSystemObservation", path: "../../.."),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
  ],
  targets: [
    .executableTarget(
      name: "ActorWithEvents",
      dependencies: [
        .product(name: "FileSystemObservation", package: "FileSystemObservation"),
        .product(name: "SystemPackage", package: "swift-system"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

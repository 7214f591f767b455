// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "BlocksOnAQueue",
  dependencies: [.package(name: "FileSystemObservation", path: "../../..")],
  targets: [
    .executableTarget(
      name: "BlocksOnAQueue",
      dependencies: [.product(name: "FileSystemObservation", package: "FileSystemObservation")])
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "TableOfAFolder",
  dependencies: [.package(name: "FileSystemObservation", path: "../../..")],
  targets: [
    .executableTarget(
      name: "TableOfAFolder",
      dependencies: [.product(name: "FileSystemObservation", package: "FileSystemObservation")])
  ],
  swiftLanguageModes: [.v6]
)

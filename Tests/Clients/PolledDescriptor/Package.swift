// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "PolledDescriptor",
  dependencies: [.package(name: "FileSystemObservation", path: "../../..")],
  targets: [
    // epoll(7), which Swift's Glibc lacks.
    .systemLibrary(name: "CEpoll"),
    .executableTarget(
      name: "PolledDescriptor",
      dependencies: ["CEpoll", .product(name: "FileSystemObservation", package: "FileSystemObservation")]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "GLibMainLoop",
  dependencies: [.package(name: "FileSystemObservation", path: "../../..")],
  targets: [
    .systemLibrary(name: "GLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .executableTarget(
      name: "GLibMainLoop",
      dependencies: [
        "GLib",
        .product(name: "FileSystemObservation", package: "FileSystemObservation"),
        .product(name: "ObservationGLib", package: "FileSystemObservation"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

/// Whether this is built to be tested, which `Scripts/app --test` says: a warning is an error then.
let isTested = Context.environment["FSO_APP_TESTED"] != nil

/// Settings shared by every Swift target of this package: those of the library.
let commonSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ] + (isTested ? [.treatAllWarnings(as: .error)] : [])

/// Where GTK is called, each call would have to be marked as unsafe: it is a library of C, and all of it is pointers.
let swiftSettings: [SwiftSetting] = commonSettings + [.strictMemorySafety()]

/// A product of the library, as every app depends on it.
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "FileSystemObservation") }

let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "DocumentBrowser",
  products: [.executable(name: "DocumentBrowser", targets: ["DocumentBrowser"])],
  dependencies: [
    .package(name: "FileSystemObservation", path: "../.."),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // What the app knows and keeps, without a window.
    .target(
      name: "BrowserModel",
      dependencies: [
        library("FileSystemObservation"), library("ObservationStore"), systemPackage,
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "BrowserModelTests",
      dependencies: ["BrowserModel", library("FileSystemObservation"), library("ObservationStore"), systemPackage],
      swiftSettings: swiftSettings),
    .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    // One file, which any program with GTK may take.
    .target(
      name: "GtkListModel", dependencies: ["CAdwaita", library("FileSystemObservation")],
      swiftSettings: commonSettings),
    .testTarget(
      name: "GtkListModelTests",
      dependencies: ["CAdwaita", "GtkListModel", library("FileSystemObservation"), systemPackage],
      swiftSettings: commonSettings),
    // The window. Everything in it belongs to the main actor, unless it says otherwise.
    .executableTarget(
      name: "DocumentBrowser",
      dependencies: [
        "BrowserModel", "CAdwaita", "GtkListModel", library("FileSystemObservation"), library("ObservationGLib"),
        systemPackage,
      ],
      resources: [.embedInCode("Resources")],
      swiftSettings: commonSettings + [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

/// Whether this is built to be tested, which `Scripts/build` says.
let isTested = Context.environment["FSO_TESTED"] != nil

/// Settings shared by every Swift target of this package.
///
/// A warning is an error for whoever works on this package. Whoever depends on it builds it with warnings suppressed,
/// and one build system takes no command that says both.
let swiftSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
  ] + (isTested ? [.treatAllWarnings(as: .error)] : [])

/// The command `simulate` runs its worlds on one thread: references need not be counted by atomic operations, nor
/// accesses be checked for overlaps.
///
/// That is 28 % more operations a second (`simulate --seeds 1..200`, in turns with and without, twice). The tests run
/// worlds on several threads, and nothing that another package can depend on contains this.
let singleThreaded: [SwiftSetting] =
  isTested
  ? []
  : [
    .unsafeFlags(
      ["-enforce-exclusivity=unchecked", "-Xfrontend", "-assume-single-threaded"], .when(configuration: .release))
  ]

let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

/// SQLite, only with the trait `Store`: otherwise it is neither fetched nor built.
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Store"]))

/// A part of swift-collections.
func collection(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-collections") }

let package = Package(
  name: "FileSystemObservation",
  products: [
    .library(name: "FileSystemObservation", targets: ["FileSystemObservation"]),
    .library(name: "ObservationFoundation", targets: ["ObservationFoundation"]),
    .library(name: "ObservationGLib", targets: ["ObservationGLib"]),
    .library(name: "ObservationCompatibility", targets: ["ObservationCompatibility"]),
    .library(name: "ObservationStore", targets: ["ObservationStore"]),
    .executable(name: "fsobserve", targets: ["fsobserve"]),
    .executable(name: "scan", targets: ["scan"]),
  ],
  traits: [
    .trait(name: "Store", description: "Keeps trees and their changes in SQLite, for the product ObservationStore."),
    .default(enabledTraits: ["Store"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .systemLibrary(name: "CAttr", pkgConfig: "libattr", providers: [.apt(["libattr1-dev"])]),
    .target(
      name: "LinuxFileSystem",
      dependencies: ["CLinux", "CAttr", systemPackage],
      cSettings: [.define("_GNU_SOURCE")],
      swiftSettings: swiftSettings),
    .target(
      name: "FileIdentity",
      dependencies: ["LinuxFileSystem", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "FileEvents",
      dependencies: ["LinuxFileSystem", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "FileSystemObservation",
      dependencies: [
        "LinuxFileSystem", "FileIdentity", "FileEvents", systemPackage, collection("DequeModule"),
        collection("HeapModule"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ObservationFoundation",
      dependencies: ["FileSystemObservation", systemPackage],
      swiftSettings: swiftSettings),
    // The faces of older libraries, on the public interface.
    .target(
      name: "ObservationCompatibility",
      dependencies: ["FileSystemObservation", systemPackage],
      packageAccess: false,
      swiftSettings: swiftSettings),
    // SHA-256 of OpenSSL, for digests of contents in a store.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // Without the trait `Store` it is an empty module.
    .target(
      name: "ObservationStore",
      dependencies: [
        "FileSystemObservation", "LinuxFileSystem", systemPackage, grdb,
        .target(name: "CCrypto", condition: .when(traits: ["Store"])),
      ],
      swiftSettings: swiftSettings),
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(name: "CGLibMainQueue", dependencies: ["CGLib"], cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "ObservationGLib",
      dependencies: ["CGLibMainQueue"],
      swiftSettings: swiftSettings),
    // The tool and the example see what an app sees: no declaration with package access.
    .target(name: "CTool", cSettings: [.define("_GNU_SOURCE")]),
    .executableTarget(
      name: "fsobserve",
      dependencies: [
        "CTool", "FileSystemObservation", "ObservationStore", systemPackage,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      packageAccess: false,
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "scan",
      dependencies: ["FileSystemObservation", systemPackage],
      path: "Examples/Scan",
      packageAccess: false,
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "LinkKeeper",
      dependencies: ["FileSystemObservation", "ObservationStore", systemPackage],
      path: "Examples/LinkKeeper",
      packageAccess: false,
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "PhotoInbox",
      dependencies: ["FileSystemObservation", systemPackage],
      path: "Examples/PhotoInbox",
      packageAccess: false,
      swiftSettings: swiftSettings),
    .target(
      name: "FileTestSupport",
      dependencies: ["CLinux", systemPackage],
      path: "Tests/FileTestSupport",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "LinuxFileSystemTests",
      dependencies: ["LinuxFileSystem", "FileTestSupport", systemPackage],
      cSettings: [.define("_GNU_SOURCE")],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FileIdentityTests",
      dependencies: ["FileIdentity", "LinuxFileSystem", "FileTestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FileEventsTests",
      dependencies: ["FileEvents", "LinuxFileSystem", "FileTestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .target(name: "CTestSystem", path: "Tests/CTestSystem", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "ObservationTestSupport",
      dependencies: [
        "CTestSystem", "FileTestSupport", "FileSystemObservation", "FileIdentity", "LinuxFileSystem",
        "ObservationCorpus", systemPackage,
      ],
      path: "Tests/Support",
      swiftSettings: swiftSettings),
    .target(
      name: "ReplayModel",
      dependencies: ["FileSystemObservation", systemPackage],
      path: "Tests/ReplayModel",
      swiftSettings: swiftSettings),
    .target(
      name: "ObservationCorpus",
      dependencies: ["FileSystemObservation"],
      path: "Tests/Corpus",
      resources: [.copy("Recordings")],
      swiftSettings: swiftSettings),
    .target(
      name: "TestTraits",
      dependencies: ["LinuxFileSystem", "ObservationTestSupport"],
      path: "Tests/Traits",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "DocumentProgram",
      dependencies: [
        "CTestSystem", "FileIdentity", "FileSystemObservation", "FileTestSupport", "LinuxFileSystem", systemPackage,
      ],
      path: "Tests/DocumentProgram",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FileSystemObservationTests",
      dependencies: [
        "DocumentProgram", "FileSystemObservation", "FileEvents", "FileIdentity", "LinuxFileSystem", "FileTestSupport",
        "ObservationCorpus", "ObservationTestSupport", "ReplayModel", "TestTraits", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ObservationSimulation",
      dependencies: [
        "CTestSystem", "FileTestSupport", "FileSystemObservation", "FileEvents", "FileIdentity", "LinuxFileSystem",
        "ObservationCorpus", "ReplayModel", systemPackage,
      ],
      path: "Tests/Simulation",
      swiftSettings: swiftSettings + singleThreaded),
    .executableTarget(
      name: "simulate",
      dependencies: [
        "ObservationSimulation", "ObservationCorpus",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Simulate",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["ObservationSimulation", "ObservationCorpus", "TestTraits"],
      resources: [.copy("Regressions/Worlds")],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "fsobserveTests",
      dependencies: [
        "fsobserve", "scan", "LinkKeeper", "PhotoInbox", "FileSystemObservation", "FileIdentity", "FileTestSupport",
        "LinuxFileSystem", "ObservationTestSupport", "ReplayModel", "TestTraits", systemPackage,
      ],
      cSettings: [.define("_GNU_SOURCE")],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ObservationFoundationTests",
      dependencies: ["ObservationFoundation", "FileSystemObservation", "FileTestSupport", systemPackage],
      swiftSettings: swiftSettings),
    // Almost all of the tests see what an app sees.
    .testTarget(
      name: "ObservationCompatibilityTests",
      dependencies: ["ObservationCompatibility", "FileSystemObservation", "FileTestSupport", systemPackage],
      packageAccess: false,
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ObservationStoreTests",
      dependencies: [
        "ObservationStore", "FileSystemObservation", "FileIdentity", "FileTestSupport", "LinuxFileSystem",
        "ObservationCorpus", "ObservationTestSupport", "TestTraits", systemPackage, grdb,
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "GLibProgram",
      dependencies: ["CGLib", "ObservationGLib", "FileSystemObservation"],
      path: "Tests/GLibProgram",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ObservationGLibTests",
      dependencies: ["GLibProgram", "FileTestSupport", "ObservationTestSupport", "TestTraits", systemPackage],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

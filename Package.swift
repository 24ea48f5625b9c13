// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// `#if os(Linux)` describes the machine that evaluates the manifest. TARGET_APPLE=1 means that a
// Linux machine builds for an Apple platform: the stand-ins for Apple's frameworks, and what runs
// on Linux only, are then left out.
#if os(Linux)
  let onLinux = Context.environment["TARGET_APPLE"] == nil
#else
  let onLinux = false
#endif

// Warnings are errors in this package's own checks only: as a fixed setting they would break
// packages that depend on this one.
let strict = Context.environment["STRICT"] != nil
let strictness: [SwiftSetting] = strict ? [.treatAllWarnings(as: .error)] : []

let house: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
  ] + strictness

/// Swift 5 mode, so that clients of the Linux modules get the same diagnostics as with Apple's
/// frameworks.
let standIn: [SwiftSetting] = [.swiftLanguageMode(.v5)] + strictness

func floor(_ floor: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", swiftSettings: house)
}

func tests(
  _ floor: String, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
  settings: [SwiftSetting] = house
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(floor)/\(name)", resources: resources,
    swiftSettings: settings)
}

func library(_ name: String, _ package: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/Platform/\(name)", pkgConfig: package, providers: [.apt([apt])])
}

/// What replaces Apple's frameworks on Linux; on Apple platforms these are empty.
let bluetooth: [Target.Dependency] = onLinux ? ["CoreBluetooth"] : []
let simulation: [Target.Dependency] = onLinux ? ["CoreBluetooth", "CoreBluetoothSimulation"] : []
let sqlite: [Target.Dependency] = onLinux ? ["CSQLite"] : []
let host: [Target.Dependency] =
  onLinux ? ["SantorioCurl", "SantorioRoutes", "SantorioSystemd"] : []
let openssl: [Target.Dependency] = onLinux ? ["COpenSSL"] : []

var products: [Product] = [
  .library(name: "Santorio", targets: ["Santorio"]),
  .library(name: "HealthRecords", targets: ["HealthRecords"]),
  .library(name: "HealthGATT", targets: ["HealthGATT"]),
  .library(name: "HealthDevices", targets: ["HealthDevices"]),
  .library(name: "SantorioCore", targets: ["SantorioCore"]),
  .library(name: "SantorioBluetooth", targets: ["SantorioBluetooth"]),
  .library(name: "VirtualDevices", targets: ["VirtualDevices"]),
]

var targets: [Target] = [
  .systemLibrary(
    name: "CZlib", path: "Sources/Platform/CZlib", pkgConfig: onLinux ? "zlib" : nil,
    providers: [.apt(["zlib1g-dev"])]),
  floor("Platform", "SantorioCompression", ["CZlib"]),
  floor("Platform", "SantorioConcurrency"),
  floor("Platform", "SantorioFiles", ["SantorioConcurrency"]),
  floor("Platform", "SantorioCryptography", ["SantorioConcurrency"] + openssl),
  floor("Platform", "SantorioJSON"),
  floor("Platform", "SantorioSQLite", sqlite),
  floor("Values", "CivilCalendar"),
  floor("Values", "ClinicalUnits"),
  floor("Values", "HealthGATT", ["CivilCalendar", "ClinicalUnits"]),
  floor(
    "Values", "HealthRecords",
    ["CivilCalendar", "ClinicalUnits", "SantorioCryptography", "SantorioJSON"]),
  floor(
    "Values", "HealthDevices",
    [
      "CivilCalendar", "HealthDevicePictures", "HealthGATT", "HealthRecords",
      "SantorioCryptography",
    ]),
  // The pictures are rendered by Scripts/render-pictures. What the package manager generates for
  // resources is not Swift 6 with SDKs before Xcode 16's.
  .target(
    name: "HealthDevicePictures", path: "Sources/Values/HealthDevicePictures",
    exclude: ["PictureSources"], resources: [.copy("Pictures")],
    swiftSettings: standIn + [.enableUpcomingFeature("InternalImportsByDefault")]),
  // Shows developers what a payload means; apps do not link it.
  floor("Values", "PayloadInspection", ["HealthDevices", "HealthGATT"]),
  floor(
    "Session", "SantorioCore",
    [
      "HealthRecords", "SantorioCompression", "SantorioConcurrency", "SantorioCryptography",
      "SantorioFiles", "SantorioJSON", "SantorioSQLite",
    ] + host),
  floor(
    "Capture", "SantorioBluetooth",
    ["HealthDevices", "HealthGATT", "HealthRecords", "SantorioConcurrency", "SantorioCore"]
      + bluetooth),
  floor(
    "Simulation", "VirtualDevices",
    ["CivilCalendar", "HealthDevices", "HealthGATT", "SantorioConcurrency", "SantorioCryptography"]
      + bluetooth),
  floor(
    "Facades", "Santorio",
    ["CivilCalendar", "HealthRecords", "HealthDevices", "SantorioCore", "SantorioBluetooth"]),
]

// Packages that name a product which is missing on one host cannot be resolved there, even when
// the dependency is conditional. On Apple platforms these hold nothing that could shadow Apple's
// framework.
let standIns = ["CoreBluetooth", "CoreBluetoothSimulation", "CoreBluetoothBlueZ"]
products += standIns.map { .library(name: $0, targets: [onLinux ? $0 : "AppleFrameworks"]) }
if !onLinux { targets.append(floor("Platform", "AppleFrameworks")) }

if onLinux {
  products += [
    .library(name: "IngestServer", targets: ["IngestServer"]),
    .executable(name: "santorio", targets: ["santorio"]),
  ]
  targets += [
    library("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
    library("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
    library("CMicrohttpd", "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CGnuTLS", "gnutls", apt: "libgnutls28-dev"),
    .systemLibrary(name: "CGetopt", path: "Sources/Platform/CGetopt"),
    .systemLibrary(name: "CProcess", path: "Sources/Platform/CProcess"),
    library("COpenSSL", "libcrypto", apt: "libssl-dev"),
    library("CSystemd", "libsystemd", apt: "libsystemd-dev"),
    // What the session needs of Linux.
    floor("Platform", "SantorioCurl", ["CCurl", "SantorioConcurrency", "SantorioCryptography"]),
    floor("Platform", "SantorioRoutes", ["SantorioConcurrency"]),
    floor("Platform", "SantorioSystemd", ["SantorioFiles"]),
    floor("Platform", "SantorioDBus", ["CSystemd", "SantorioConcurrency"]),
    .target(
      name: "CoreBluetooth",
      dependencies: ["CSystemd", "SantorioConcurrency", "SantorioDBus", "SantorioFiles"],
      path: "Sources/Platform/CoreBluetooth", swiftSettings: standIn),
    .target(
      name: "CoreBluetoothBlueZ", dependencies: ["CoreBluetooth"],
      path: "Sources/Platform/CoreBluetoothBlueZ", swiftSettings: standIn),
    .target(
      name: "CoreBluetoothSimulation", dependencies: ["CoreBluetooth", "SantorioConcurrency"],
      path: "Sources/Platform/CoreBluetoothSimulation", swiftSettings: standIn),
    floor(
      "Programs", "IngestServer",
      [
        "HealthRecords", "SantorioCompression", "SantorioConcurrency", "SantorioCryptography",
        "SantorioFiles", "SantorioJSON", "SantorioSQLite", "CGnuTLS", "CMicrohttpd", "COpenSSL",
      ]),
    // Finds out what a machine lacks to be a gateway.
    floor("Programs", "GatewayDiagnosis", ["SantorioDBus"]),
    .executableTarget(
      name: "santorio",
      dependencies: [
        "HealthRecords", "HealthDevices", "HealthGATT", "PayloadInspection", "SantorioCore",
        "SantorioBluetooth", "VirtualDevices", "IngestServer", "GatewayDiagnosis",
        "SantorioConcurrency", "SantorioJSON", "SantorioSystemd",
        "CoreBluetoothBlueZ", "CGetopt",
        "CProcess",
      ] + simulation,
      path: "Sources/Programs/santorio", swiftSettings: house),

    // Shared by the tests of several modules.
    .target(
      name: "TestSupport", dependencies: ["SantorioConcurrency"], path: "Tests/TestSupport",
      swiftSettings: house),
    tests("Platform", "SantorioCompressionTests", ["SantorioCompression"]),
    tests(
      "Platform", "SantorioCryptographyTests", ["SantorioCryptography", "TestSupport"] + openssl),
    tests("Platform", "SantorioJSONTests", ["SantorioJSON", "TestSupport"]),
    tests("Platform", "SantorioSQLiteTests", ["SantorioSQLite"]),
    tests("Platform", "SantorioFilesTests", ["SantorioFiles", "TestSupport"]),
    tests("Platform", "SantorioCurlTests", ["SantorioCurl", "SantorioConcurrency", "TestSupport"]),
    tests("Platform", "SantorioRoutesTests", ["SantorioRoutes", "TestSupport"]),
    tests("Platform", "SantorioSystemdTests", ["SantorioSystemd", "SantorioFiles", "TestSupport"]),
    tests(
      "Platform", "SantorioDBusTests", ["SantorioDBus", "SantorioConcurrency", "TestSupport"]),
    tests(
      "Platform", "CoreBluetoothTests", simulation + ["SantorioDBus"], settings: standIn),
    tests("Platform", "CoreBluetoothGuideTests", simulation, settings: standIn),
    // The rules that every radio must keep.
    .target(
      name: "RadioConformance", dependencies: ["CoreBluetooth"],
      path: "Tests/Platform/RadioConformance", swiftSettings: standIn),
    tests(
      "Platform", "RadioConformanceTests",
      ["RadioConformance", "SantorioConcurrency"] + simulation, settings: standIn),
    tests("Values", "CivilCalendarTests", ["CivilCalendar"]),
    tests("Values", "ClinicalUnitsTests", ["ClinicalUnits"]),
    tests(
      "Values", "HealthRecordsTests",
      ["CivilCalendar", "HealthRecords", "SantorioJSON", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .target(
      name: "PayloadTesting", dependencies: ["HealthGATT", "PayloadInspection", "TestSupport"],
      path: "Tests/Values/PayloadTesting", resources: [.copy("Fixtures")], swiftSettings: house),
    tests(
      "Values", "HealthGATTTests",
      [
        "HealthDevices", "HealthGATT", "PayloadInspection", "PayloadTesting", "TestSupport",
      ]),
    tests(
      "Values", "HealthDevicesTests",
      [
        "CivilCalendar", "HealthDevicePictures", "HealthDevices", "HealthGATT", "HealthRecords",
        "PayloadInspection", "PayloadTesting", "TestSupport",
      ], resources: [.copy("Fixtures")]),
    tests(
      "Values", "PayloadInspectionTests",
      ["HealthDevices", "HealthGATT", "PayloadInspection", "PayloadTesting", "TestSupport"]),
    // What the fault tests break: SQLite's disk, and the processes that use it.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/Session/CFaultVFS"),
    .target(
      name: "FaultKit",
      dependencies: [
        "SantorioCore", "HealthRecords", "IngestServer", "SantorioCompression",
        "SantorioConcurrency", "SantorioSQLite", "TestSupport",
      ],
      path: "Tests/Session/FaultKit", swiftSettings: house),
    .executableTarget(
      name: "OutboxCrashChild", dependencies: ["CFaultVFS", "FaultKit", "SantorioCore"],
      path: "Tests/Session/OutboxCrashChild", swiftSettings: house),
    tests(
      "Session", "SantorioFaultTests",
      [
        "FaultKit", "SantorioCore", "SantorioConcurrency", "SantorioSQLite", "IngestServerChild",
        "OutboxCrashChild", "TestSupport",
      ]),
    tests(
      "Session", "SantorioCoreTests",
      [
        "SantorioCore", "HealthRecords", "SantorioCompression", "SantorioConcurrency",
        "SantorioCryptography", "SantorioCurl", "SantorioFiles", "SantorioJSON", "SantorioSQLite",
        "IngestServer", "FaultKit", "OutboxCrashChild", "TestSupport",
      ]),
    tests(
      "Capture", "SantorioBluetoothTests",
      [
        "SantorioBluetooth", "VirtualDevices", "SantorioConcurrency", "SantorioCore",
        "SantorioSQLite", "HealthRecords", "HealthDevices", "HealthGATT", "LicensedMeters",
        "TestSupport", "FaultKit", "TransferChild",
      ]
        + simulation),
    // The process that reads a meter and is killed meanwhile.
    .executableTarget(
      name: "TransferChild",
      dependencies: [
        "CFaultVFS", "HealthDevices", "HealthRecords", "SantorioBluetooth",
        "SantorioConcurrency", "SantorioCore", "VirtualDevices",
      ] + simulation, path: "Tests/Capture/TransferChild", swiftSettings: house),
    // The example of a licensee's plug-in, which sees the public interface alone.
    .target(
      name: "LicensedMeters",
      dependencies: ["HealthDevices", "HealthGATT", "HealthRecords", "VirtualDevices"],
      path: "Examples/LicensedMeters/Sources/LicensedMeters", packageAccess: false,
      swiftSettings: house),
    tests(
      "Simulation", "VirtualDevicesTests",
      ["VirtualDevices", "HealthDevices", "HealthGATT", "HealthRecords", "TestSupport"]
        + simulation, resources: [.copy("Fixtures")]),
    // The server process that the tests kill.
    .executableTarget(
      name: "IngestServerChild", dependencies: ["IngestServer"],
      path: "Tests/Programs/IngestServerChild", swiftSettings: house),
    tests(
      "Programs", "IngestServerTests",
      [
        "IngestServer", "IngestServerChild", "HealthRecords", "SantorioCompression",
        "SantorioConcurrency", "SantorioCore", "SantorioCryptography", "SantorioJSON",
        "SantorioSQLite", "TestSupport",
      ]),
    tests(
      "Programs", "GatewayDiagnosisTests", ["GatewayDiagnosis", "SantorioDBus", "TestSupport"]),
    tests(
      "Programs", "SantorioCommandTests",
      [
        "santorio", "HealthRecords", "HealthDevices", "HealthGATT", "SantorioBluetooth",
        "SantorioCore",
        "VirtualDevices",
        "SantorioConcurrency", "SantorioJSON", "CoreBluetoothBlueZ", "CoreBluetoothSimulation",
        "IngestServer", "TestSupport",
      ]),
  ]
}

// What runs in the Bluetooth lab's guest only; `Scripts/bluez-lab` and `Scripts/check` build it. The
// rules for radios are not public interface, so these are targets of this package.
if Context.environment["LAB"] != nil {
  targets += [
    .executableTarget(
      name: "BlueZLabReader", dependencies: ["CoreBluetooth", "HealthGATT"],
      path: "Tests/BlueZLab/BlueZLabReader", swiftSettings: standIn),
    tests(
      "BlueZLab", "BlueZLabTests",
      [
        "RadioConformance", "CoreBluetooth", "CoreBluetoothBlueZ", "SantorioDBus",
        "SantorioBluetooth", "SantorioCore", "HealthRecords",
      ], settings: standIn),
  ]
}

// Manufacturers' payloads are not public interface, so the fuzzer is a target of this package;
// `Scripts/fuzz` builds it.
if Context.environment["FUZZ"] != nil {
  targets.append(
    .executableTarget(
      name: "FuzzPayloads", dependencies: ["PayloadInspection"], path: "Fuzz/FuzzPayloads",
      // libFuzzer brings the main function.
      swiftSettings: house + [.unsafeFlags(["-parse-as-library"])]))
}

// A sanitizer is slow: `Scripts/check` names the tests in which it can find something.
if let names = Context.environment["TESTS"]?.split(separator: " ").map(String.init) {
  targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

let package = Package(
  name: "santorio",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: products,
  targets: targets
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

func isSet(_ variable: String) -> Bool { Context.environment[variable]?.isEmpty == false }

// `#if os(Linux)` describes the machine that evaluates the manifest. TARGET_APPLE=1 means that a
// Linux machine builds for an Apple platform: the stand-ins for Apple's frameworks, and what runs
// on Linux only, are then left out.
#if os(Linux)
  let onLinux = !isSet("TARGET_APPLE")
#else
  let onLinux = false
#endif

// SIMULATED=1 builds the package as an app does that has its trait: Bluetooth is simulated, and the
// tests of that are declared on a Mac, too. On Linux the stand-in for Core Bluetooth and what needs
// it, BlueZ and the programs, are left out.
let simulated = isSet("SIMULATED")
let hasStandIn = onLinux && !simulated

// Warnings are errors in this package's own checks only: as a fixed setting they would break
// packages that depend on this one.
let strictness: [SwiftSetting] = isSet("STRICT") ? [.treatAllWarnings(as: .error)] : []

// A file imports each module whose members it uses. Only the checks demand it, which compile whole
// modules. Structures such as `stat` are in several C modules, and a compiler that handles a few files
// at a time attributes them to the one that these files happen to import first.
let importing: [SwiftSetting] =
  isSet("STRICT") ? [.enableUpcomingFeature("MemberImportVisibility")] : []

// Reading displays takes minutes unless it is optimized, which `make` asks for. Packages that depend on
// this one cannot: the flag is an unsafe one.
let optimized: [SwiftSetting] = isSet("OPTIMIZED") ? [.unsafeFlags(["-O"])] : []

/// What an app is likely to set, and the documentation's code with it.
let upcoming: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ] + importing + strictness

let house = upcoming + [.strictMemorySafety()]

/// Swift 5 mode: clients of the Linux modules get the diagnostics that they have with Apple's.
let standIn: [SwiftSetting] = [.swiftLanguageMode(.v5)] + strictness

func floor(_ floor: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", swiftSettings: house)
}

func tests(
  _ floor: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = [], settings: [SwiftSetting] = house
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(floor)/\(name)", exclude: exclude,
    resources: resources, swiftSettings: settings)
}

/// A program that tests run.
func child(_ floor: String, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/\(floor)/\(name)", swiftSettings: house)
}

func library(_ name: String, _ package: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/Platform/\(name)", pkgConfig: package, providers: [.apt([apt])])
}

/// The module that has Core Bluetooth's names: that of the package on Linux, the system's own on
/// Apple platforms, and with the trait the simulated one.
let bluetooth: [Target.Dependency] =
  (hasStandIn ? ["CoreBluetooth"] : [])
  + [.target(name: "SimulatedCoreBluetooth", condition: .when(traits: ["SimulatedBluetooth"]))]
/// The same with simulated radios, for tests and demonstrations.
let simulation: [Target.Dependency] = bluetooth + ["CoreBluetoothSimulation"]
/// What replaces Apple's frameworks on Linux; on Apple platforms these are empty.
let sqlite: [Target.Dependency] = onLinux ? ["CSQLite"] : []
let host: [Target.Dependency] =
  onLinux ? ["SantorioCurl", "SantorioRoutes", "SantorioSystemd"] : []
let images: [Target.Dependency] = onLinux ? ["SantorioImages", "SantorioVideo"] : []
/// What apps bring along for Apple.
let privacy: [Target.Dependency] = onLinux ? [] : ["SantorioPrivacy"]
let openssl: [Target.Dependency] = onLinux ? ["COpenSSL"] : []

var products: [Product] = [
  "Santorio", "HealthRecords", "HealthGATT", "HealthDevices", "AppleHealthExport", "SantorioCore",
  "SantorioBluetooth", "SantorioOCR", "SantorioOneTouch", "DigitReader", "VirtualDevices",
  "SyntheticDisplays", "SyntheticHealthExport", "ValidicCore", "ValidicBluetooth", "ValidicOCR",
  "ValidicOneTouch",
].map { .library(name: $0, targets: [$0]) }

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
  floor("Values", "AppleHealthExport"),
  floor("Values", "CivilCalendar"),
  floor("Values", "ClinicalUnits"),
  .target(
    name: "DigitReader", path: "Sources/Values/DigitReader", exclude: ["Weights/weights.md"],
    swiftSettings: house + optimized),
  floor("Values", "HealthGATT", ["CivilCalendar", "ClinicalUnits"]),
  floor(
    "Values", "HealthRecords",
    ["CivilCalendar", "ClinicalUnits", "SantorioCryptography", "SantorioJSON"]),
  floor(
    "Values", "HealthDevices",
    [
      "CivilCalendar", "HealthGATT", "HealthRecords", "PeripheralTypes", "SantorioCryptography",
    ]),
  // What devices measure, without how they are read.
  floor("Values", "PeripheralTypes", ["HealthDevicePictures"]),
  // The pictures are rendered by Scripts/render-pictures. What the package manager generates for
  // resources is not Swift 6 with SDKs before Xcode 16's.
  .target(
    name: "HealthDevicePictures", path: "Sources/Values/HealthDevicePictures",
    exclude: ["PictureSources"], resources: [.copy("Pictures")],
    swiftSettings: standIn + [.enableUpcomingFeature("InternalImportsByDefault")]),
  .target(
    name: "SantorioPrivacy", path: "Sources/Platform/SantorioPrivacy",
    resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: standIn),
  // Shows developers what a payload means; apps do not link it.
  floor("Values", "PayloadInspection", ["HealthDevices", "HealthGATT"]),
  floor(
    "Session", "SantorioCore",
    [
      "HealthRecords", "SantorioCompression", "SantorioConcurrency", "SantorioCryptography",
      "SantorioFiles", "SantorioJSON", "SantorioSQLite",
    ] + host + privacy),
  floor(
    "Capture", "SantorioBluetooth",
    [
      "HealthDevices", "HealthGATT", "HealthRecords", "SantorioConcurrency", "SantorioCore",
      "SantorioCryptography",
    ] + bluetooth),
  floor(
    "Capture", "SantorioOCR",
    ["ClinicalUnits", "DigitReader", "HealthRecords", "PeripheralTypes"] + images),
  // Readings from the kit that LifeScan gives its partners, which the package does not contain.
  floor(
    "Capture", "SantorioOneTouch",
    ["ClinicalUnits", "HealthRecords", "SantorioConcurrency", "SantorioCore"]),
  floor(
    "Simulation", "VirtualDevices",
    ["CivilCalendar", "HealthDevices", "HealthGATT", "SantorioConcurrency", "SantorioCryptography"]
      + bluetooth),
  // Renders photos of displays that no device shows, for tests and training.
  floor("Simulation", "SyntheticDisplays", ["DigitReader"]),
  // Writes Apple Health exports that never were anybody's, and what a reader must find in them.
  floor("Simulation", "SyntheticHealthExport", ["CivilCalendar", "SantorioJSON"]),
  floor(
    "Facades", "Santorio",
    ["CivilCalendar", "HealthRecords", "HealthDevices", "SantorioCore", "SantorioBluetooth"]),
  // The names of Validic's mobile SDK.
  floor(
    "Facades", "ValidicCore",
    [
      "ClinicalUnits", "HealthRecords", "PeripheralTypes", "SantorioConcurrency", "SantorioCore",
    ]),
  floor(
    "Facades", "ValidicBluetooth",
    [
      "HealthDevices", "HealthRecords", "PeripheralTypes", "SantorioBluetooth",
      "SantorioConcurrency", "SantorioCore", "ValidicCore",
    ]),
  floor(
    "Facades", "ValidicOCR",
    [
      "ClinicalUnits", "DigitReader", "HealthRecords", "PeripheralTypes", "SantorioCore",
      "SantorioOCR", "ValidicCore",
    ]),
  floor(
    "Facades", "ValidicOneTouch",
    ["HealthRecords", "SantorioCore", "SantorioOneTouch", "ValidicCore"]),
]

// Core Bluetooth with a simulated radio, under a name that Apple's framework does not have. Where
// the package supplies the module CoreBluetooth, it is the same one.
products.append(
  .library(
    name: "SimulatedCoreBluetooth", targets: ["SimulatedCoreBluetooth", "CoreBluetoothSimulation"]))
targets += [
  hasStandIn
    ? .target(
      name: "SimulatedCoreBluetooth", dependencies: ["CoreBluetooth"],
      path: "Sources/Platform/SimulatedCoreBluetooth", swiftSettings: standIn)
    : .target(
      name: "SimulatedCoreBluetooth", dependencies: ["SantorioConcurrency"],
      path: "Sources/Platform/CoreBluetooth", exclude: ["BlueZ", "CoreBluetooth.docc"],
      swiftSettings: standIn),
  .target(
    name: "CoreBluetoothSimulation",
    dependencies: ["SantorioConcurrency"] + (hasStandIn ? bluetooth : ["SimulatedCoreBluetooth"]),
    path: "Sources/Platform/CoreBluetoothSimulation", swiftSettings: standIn),
]

if onLinux {
  targets += [
    library("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
    library("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
    library("CMicrohttpd", "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CGnuTLS", "gnutls", apt: "libgnutls28-dev"),
    library("COpenSSL", "libcrypto", apt: "libssl-dev"),
    library("CMosquitto", "libmosquitto", apt: "libmosquitto-dev"),
    library("CLibzip", "libzip", apt: "libzip-dev"),
    library("CPNG", "libpng", apt: "libpng-dev"),
    library("CTurboJPEG", "libturbojpeg", apt: "libturbojpeg0-dev"),
    // What the session needs of Linux.
    floor("Platform", "SantorioCurl", ["CCurl", "SantorioConcurrency", "SantorioCryptography"]),
    floor(
      "Platform", "SantorioMQTT", ["CMosquitto", "SantorioConcurrency", "SantorioCryptography"]),
    floor("Platform", "SantorioImages", ["CPNG", "CTurboJPEG"]),
    .systemLibrary(name: "CVideo4Linux", path: "Sources/Platform/CVideo4Linux"),
    floor("Platform", "SantorioVideo", ["CVideo4Linux", "SantorioImages"]),
    floor("Platform", "SantorioRoutes", ["SantorioConcurrency"]),
    floor("Platform", "SantorioSockets"),
    floor("Platform", "SantorioSystemd", ["SantorioFiles", "SantorioSockets"]),
    floor(
      "Programs", "IngestServer",
      [
        "HealthRecords", "SantorioCompression", "SantorioConcurrency", "SantorioCryptography",
        "SantorioFiles", "SantorioJSON", "SantorioSockets", "SantorioSQLite", "CGnuTLS",
        "CMicrohttpd", "COpenSSL",
      ]),
    floor("Capture", "AppleHealthArchive", ["CLibzip"]),
    tests(
      "Capture", "AppleHealthArchiveTests",
      ["AppleHealthArchive", "AppleHealthExport", "SantorioCompression", "TestSupport"]),
    // What the fault tests break: SQLite's disk, and the processes that use it.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/Session/CFaultVFS"),
    .target(
      name: "FaultKit",
      dependencies: [
        "SantorioCore", "HealthRecords", "IngestServer", "SantorioCompression",
        "SantorioConcurrency", "SantorioSQLite", "TestSupport",
      ],
      path: "Tests/Session/FaultKit", swiftSettings: house),
    child("Session", "OutboxCrashChild", ["CFaultVFS", "FaultKit", "SantorioCore"]),
    // The server process that the tests kill.
    child("Programs", "IngestServerChild", ["IngestServer"]),
    tests("Platform", "SantorioCurlTests", ["SantorioCurl", "SantorioConcurrency", "TestSupport"]),
    tests(
      "Platform", "SantorioMQTTTests", ["SantorioMQTT", "SantorioConcurrency", "TestSupport"]),
    tests("Platform", "SantorioRoutesTests", ["SantorioRoutes", "TestSupport"]),
    tests(
      "Platform", "SantorioVideoTests",
      ["CVideo4Linux", "SantorioImages", "SantorioVideo", "TestSupport"]),
    tests("Platform", "SantorioSocketsTests", ["SantorioSockets", "TestSupport"]),
    tests(
      "Platform", "SantorioSystemdTests",
      ["SantorioSystemd", "SantorioFiles", "SantorioSockets", "TestSupport"]),
    // The process that reads a meter and is killed meanwhile.
    child(
      "Capture", "TransferChild",
      [
        "CFaultVFS", "HealthDevices", "HealthRecords", "SantorioBluetooth",
        "SantorioConcurrency", "SantorioCore", "VirtualDevices",
      ] + simulation),
    tests(
      "Capture", "TransferFaultTests",
      [
        "FaultKit", "HealthRecords", "SantorioCore", "SantorioSQLite", "TestSupport",
        "TransferChild",
      ]),
    tests(
      "Session", "SantorioFaultTests",
      [
        "FaultKit", "SantorioCore", "SantorioConcurrency", "SantorioSQLite", "IngestServerChild",
        "OutboxCrashChild", "TestSupport",
      ]),
    tests(
      "Programs", "IngestServerTests",
      [
        "IngestServer", "IngestServerChild", "HealthRecords", "SantorioCompression",
        "SantorioConcurrency", "SantorioCore", "SantorioCryptography", "SantorioJSON",
        "SantorioSockets", "SantorioSQLite", "TestSupport",
      ]),
  ]
}

// Where there is HealthKit: the package's own on Linux, Apple's elsewhere.
if hasStandIn || !onLinux {
  products += ["SantorioHealthKit", "SantorioUI", "ValidicHealthKit"].map {
    .library(name: $0, targets: [$0])
  }
  targets += [
    floor(
      "Capture", "SantorioHealthKit",
      [
        "CivilCalendar", "HealthRecords", "SantorioConcurrency", "SantorioCore",
        "SantorioCryptography",
      ] + (hasStandIn ? ["BackgroundTasks", "HealthKit"] : [])),
    floor(
      "Facades", "ValidicHealthKit",
      [
        "HealthRecords", "SantorioConcurrency", "SantorioCore", "SantorioHealthKit", "ValidicCore",
      ] + (hasStandIn ? ["HealthKit"] : [])),
    // The texts of the views. What the package manager generates for resources is not Swift 6 with
    // SDKs before Xcode 16's.
    .target(
      name: "SantorioUITexts", path: "Sources/Interface/SantorioUITexts",
      resources: [.process("Resources")],
      swiftSettings: standIn + [.enableUpcomingFeature("InternalImportsByDefault")]),
    // Views for apps, and what is portable of them.
    floor(
      "Interface", "SantorioUI",
      [
        "ClinicalUnits", "DigitReader", "HealthDevices", "HealthRecords", "PeripheralTypes",
        "SantorioBluetooth", "SantorioConcurrency", "SantorioCore", "SantorioHealthKit",
        "SantorioOCR", "SantorioUITexts",
      ] + (hasStandIn ? ["HealthKit"] : [])),
  ]
}

if hasStandIn {
  products += [
    .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
    .library(name: "CoreBluetoothSimulation", targets: ["CoreBluetoothSimulation"]),
    .library(name: "CoreBluetoothBlueZ", targets: ["CoreBluetoothBlueZ"]),
    .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
    .library(name: "HealthKit", targets: ["HealthKit"]),
    .library(name: "HealthKitSimulation", targets: ["HealthKitSimulation"]),
    .library(name: "IngestServer", targets: ["IngestServer"]),
    .executable(name: "santorio", targets: ["santorio"]),
  ]
  targets += [
    .systemLibrary(name: "CGetopt", path: "Sources/Platform/CGetopt"),
    .systemLibrary(name: "CProcess", path: "Sources/Platform/CProcess"),
    library("CSystemd", "libsystemd", apt: "libsystemd-dev"),
    floor("Platform", "SantorioDBus", ["CSystemd", "SantorioConcurrency"]),
    .target(
      name: "CoreBluetooth",
      dependencies: ["CSystemd", "SantorioConcurrency", "SantorioDBus", "SantorioFiles"],
      path: "Sources/Platform/CoreBluetooth", exclude: ["Simulated"], swiftSettings: standIn),
    .target(
      name: "CoreBluetoothBlueZ", dependencies: ["CoreBluetooth"],
      path: "Sources/Platform/CoreBluetoothBlueZ", swiftSettings: standIn),
    .target(
      name: "HealthKit",
      dependencies: ["SantorioConcurrency", "SantorioCryptography", "SantorioSQLite"],
      path: "Sources/Platform/HealthKit",
      // Apple's predicates take Foundation's operators, which it marks as deprecated on Linux.
      swiftSettings: standIn + [.treatWarning("DeprecatedDeclaration", as: .warning)]),
    .target(
      name: "BackgroundTasks", path: "Sources/Platform/BackgroundTasks", swiftSettings: standIn),
    .target(
      name: "HealthKitSimulation",
      dependencies: ["BackgroundTasks", "HealthKit", "SantorioConcurrency"],
      path: "Sources/Platform/HealthKitSimulation", swiftSettings: standIn),
    // Puts exports of Apple's Health app into a store.
    floor(
      "Capture", "HealthKitImport",
      [
        "AppleHealthArchive", "AppleHealthExport", "HealthKit", "SantorioCryptography",
        "SantorioFiles", "SantorioSQLite",
      ]),
    // Finds out what a machine lacks to be a gateway.
    floor("Programs", "GatewayDiagnosis", ["SantorioDBus"]),
    // The gateway for several patients; the command line only starts it.
    floor(
      "Programs", "Hub",
      [
        "AppleHealthArchive", "AppleHealthExport", "CivilCalendar", "HealthDevices", "HealthKit",
        "HealthKitImport", "HealthRecords", "IngestServer", "SantorioBluetooth",
        "SantorioConcurrency", "SantorioCore", "SantorioCryptography", "SantorioFiles",
        "SantorioHealthKit", "SantorioJSON", "SantorioMQTT", "SantorioSockets", "SantorioSystemd",
      ]),
    .executableTarget(
      name: "santorio",
      dependencies: [
        "HealthRecords", "HealthDevices", "HealthGATT", "PayloadInspection", "SantorioCore",
        "SantorioBluetooth", "VirtualDevices", "Hub", "IngestServer", "GatewayDiagnosis",
        "SantorioConcurrency", "SantorioFiles", "SantorioJSON", "SantorioSQLite",
        "SantorioSystemd", "CoreBluetoothBlueZ", "CGetopt",
        "AppleHealthExport", "CProcess", "CivilCalendar", "HealthKit", "HealthKitImport",
        "SantorioHealthKit",
        "SyntheticHealthExport", "DigitReader", "SantorioImages", "SantorioOCR",
      ] + simulation,
      path: "Sources/Programs/santorio", swiftSettings: house),
    tests(
      "Platform", "SantorioImagesTests", ["SantorioImages"], resources: [.copy("Fixtures")]),
    tests(
      "Platform", "SantorioDBusTests", ["SantorioDBus", "SantorioConcurrency", "TestSupport"]),
    tests(
      "Platform", "CoreBluetoothStandInTests", simulation + ["SantorioDBus"], settings: standIn),
    tests("Platform", "CoreBluetoothGuideTests", simulation, settings: standIn),
    tests(
      "Platform", "HealthKitTests",
      [
        "BackgroundTasks", "HealthKit", "HealthKitSimulation", "SantorioConcurrency",
        "SantorioSQLite", "TestSupport",
      ],
      settings: standIn),
    tests(
      "Capture", "HealthKitImportTests",
      [
        "AppleHealthExport", "HealthKit", "HealthKitImport", "HealthKitSimulation",
        "SyntheticHealthExport",
        "TestSupport",
      ]),
    tests(
      "Capture", "SantorioHealthKitTests",
      [
        "SantorioHealthKit", "CivilCalendar", "HealthRecords", "SantorioCore",
        "SantorioConcurrency", "BackgroundTasks", "HealthKit", "HealthKitSimulation",
        "TestSupport",
      ]),
    // The process that reads HealthKit and is killed meanwhile.
    child(
      "Capture", "HealthChild",
      ["CFaultVFS", "HealthKit", "HealthKitSimulation", "SantorioCore", "SantorioHealthKit"]),
    tests(
      "Capture", "HealthFaultTests",
      [
        "FaultKit", "HealthChild", "HealthKit", "HealthKitSimulation", "HealthRecords",
        "SantorioConcurrency", "SantorioCore", "TestSupport",
      ]),
    tests(
      "Facades", "ValidicTests",
      [
        "DigitReader", "HealthDevices", "HealthKit", "HealthKitSimulation", "HealthRecords",
        "IngestServer",
        "SantorioBluetooth", "SantorioConcurrency", "SantorioCore", "SantorioOneTouch",
        "SyntheticDisplays", "TestSupport", "ValidicBluetooth", "ValidicCore", "ValidicHealthKit",
        "ValidicOCR", "ValidicOneTouch", "ValidicSnippets", "VirtualDevices",
      ] + simulation),
    tests(
      "Interface", "SantorioUITests",
      [
        "ClinicalUnits", "DigitReader", "HealthDevices", "HealthKit", "HealthKitSimulation",
        "HealthRecords", "PeripheralTypes", "SantorioBluetooth", "SantorioConcurrency",
        "SantorioCore", "SantorioHealthKit", "SantorioOCR", "SantorioUI", "SantorioUITexts",
        "SyntheticDisplays", "TestSupport", "VirtualDevices",
      ] + simulation),
    // What bluetoothd says on a bus, for programs whose radio is BlueZ.
    child("Platform", "VirtualBluetoothd", ["HealthDevices", "SantorioDBus", "VirtualDevices"]),
    // The process of a stream that runs for months.
    child(
      "Programs", "EnduranceChild",
      [
        "CProcess", "FaultKit", "HealthKit", "HealthKitSimulation", "HealthRecords", "Hub",
        "IngestServer", "SantorioConcurrency", "SantorioCore", "SantorioMQTT", "TestSupport",
      ] + simulation),
    tests(
      "Programs", "EnduranceTests",
      ["EnduranceChild", "FaultKit", "IngestServerChild", "VirtualBluetoothd"]),
    tests(
      "Programs", "GatewayDiagnosisTests", ["GatewayDiagnosis", "SantorioDBus", "TestSupport"]),
    tests(
      "Programs", "HubTests",
      [
        "FaultKit", "Hub", "HealthDevices", "HealthRecords", "IngestServer", "SantorioBluetooth",
        "SantorioConcurrency", "SantorioCore", "SantorioFiles", "SantorioJSON", "SantorioMQTT",
        "SantorioSQLite", "SantorioSockets", "SantorioSystemd", "VirtualDevices", "TestSupport",
      ] + simulation),
    // Days of a ward in which much goes wrong, and minutes of one with its devices in another process.
    tests(
      "Programs", "HubSoakTests",
      [
        "FaultKit", "Hub", "santorio", "VirtualBluetoothd", "HealthDevices", "HealthRecords",
        "IngestServer", "SantorioBluetooth",
        "SantorioConcurrency", "SantorioCore", "SantorioSQLite", "VirtualDevices", "TestSupport",
      ] + simulation),
    tests(
      "Programs", "SantorioCommandTests",
      [
        "santorio", "Hub", "HealthRecords", "HealthDevices", "HealthGATT", "SantorioBluetooth",
        "SantorioCore", "SantorioSockets",
        "VirtualDevices",
        "SantorioConcurrency", "SantorioJSON", "CoreBluetoothBlueZ",
        "FaultKit", "IngestServer", "TestSupport", "HealthKit", "HealthKitImport",
        "SantorioCompression", "SyntheticHealthExport",
      ] + simulation, resources: [.copy("Fixtures")]),
  ]
}

// Tests that run wherever the package does; a build for another platform cannot run them.
let hasTests = !isSet("TARGET_APPLE")
if hasTests {
  targets += [
    // Shared by the tests of several modules.
    .target(
      name: "TestSupport", dependencies: ["SantorioConcurrency"], path: "Tests/TestSupport",
      swiftSettings: house),
    tests("Platform", "SantorioCompressionTests", ["SantorioCompression"]),
    tests(
      "Platform", "SantorioCryptographyTests", ["SantorioCryptography", "TestSupport"] + openssl),
    tests("Platform", "SantorioJSONTests", ["SantorioJSON", "TestSupport"]),
    tests("Platform", "SantorioSQLiteTests", ["SantorioSQLite"]),
    tests("Platform", "SantorioConcurrencyTests", ["SantorioConcurrency", "TestSupport"]),
    tests("Platform", "SantorioFilesTests", ["SantorioFiles", "TestSupport"]),
    tests("Platform", "SantorioPrivacyTests", []),
    tests("Values", "AppleHealthExportTests", ["AppleHealthExport", "TestSupport"]),
    tests("Values", "CivilCalendarTests", ["CivilCalendar"]),
    tests(
      "Simulation", "SyntheticHealthExportTests",
      ["CivilCalendar", "SyntheticHealthExport", "TestSupport"]),
    // Writes rendered displays for training.
    child("Simulation", "SceneWriter", ["DigitReader", "SyntheticDisplays"]),
    // Measures how well frames of rendered displays are read.
    child("Simulation", "DisplayBursts", ["DigitReader", "SyntheticDisplays"]),
    tests(
      "Capture", "SantorioOCRTests",
      [
        "SantorioOCR", "DigitReader", "HealthRecords", "PeripheralTypes", "SyntheticDisplays",
        "TestSupport",
      ]),
    tests(
      "Capture", "SantorioOneTouchTests",
      [
        "HealthRecords", "SantorioConcurrency", "SantorioCore", "SantorioOneTouch", "TestSupport",
      ]),
    tests("Simulation", "SyntheticDisplaysTests", ["DigitReader", "SyntheticDisplays"]),
    tests("Values", "ClinicalUnitsTests", ["ClinicalUnits"]),
    tests("Values", "DigitReaderTests", ["DigitReader", "SyntheticDisplays"]),
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
    // What an app's system does for a session, simulated.
    .target(
      name: "SessionTesting", dependencies: ["SantorioCore", "SantorioConcurrency"],
      path: "Tests/Session/SessionTesting", swiftSettings: house),
    tests(
      "Session", "SantorioCoreTests",
      [
        "SantorioCore", "HealthRecords", "SantorioCompression", "SantorioConcurrency",
        "SantorioCryptography", "SantorioFiles", "SessionTesting", "SantorioJSON", "SantorioSQLite",
        "TestSupport",
      ] + (onLinux ? ["FaultKit", "IngestServer", "OutboxCrashChild", "SantorioCurl"] : []),
      exclude: onLinux ? [] : ["Linux"]),
  ]
}

// Tests on a simulated radio. On a Mac they need SIMULATED=1, which puts it in Apple's place.
if hasTests, hasStandIn || simulated {
  targets += [
    // The rules that every radio must keep.
    .target(
      name: "RadioConformance", dependencies: simulation,
      path: "Tests/Platform/RadioConformance", swiftSettings: standIn),
    tests(
      "Platform", "RadioConformanceTests",
      ["RadioConformance", "SantorioConcurrency"] + simulation, settings: standIn),
    tests("Platform", "CoreBluetoothTests", simulation, settings: standIn),
    tests(
      "Capture", "SantorioBluetoothTests",
      [
        "SantorioBluetooth", "VirtualDevices", "SantorioConcurrency", "SantorioCore",
        "SantorioSQLite", "HealthRecords", "HealthDevices", "HealthGATT", "LicensedMeters",
        "TestSupport",
      ]
        + simulation),
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
  ]
}

// Validic's constants for Objective-C, to which Swift cannot export any.
if !onLinux {
  products.append(.library(name: "ValidicConstants", targets: ["ValidicConstants"]))
  targets.append(.target(name: "ValidicConstants", path: "Sources/Facades/ValidicConstants"))
}

// The code of the documentation; on Linux with the stand-in for Core Bluetooth only.
if hasStandIn || !onLinux {
  targets.append(
    .target(
      name: "DocumentationSnippets",
      dependencies: [
        "Santorio", "SantorioCore", "SantorioBluetooth", "HealthRecords", "HealthDevices",
        "HealthGATT", "VirtualDevices", "CoreBluetoothSimulation", "SyntheticHealthExport",
        "SantorioHealthKit", "DigitReader", "SantorioOCR", "SantorioUI", "SyntheticDisplays",
      ]
        + (hasStandIn
          ? [
            "CoreBluetooth", "CoreBluetoothBlueZ", "HealthKit", "HealthKitSimulation",
            "LicensedMeters",
          ] : []),
      path: "Tests/Documentation/DocumentationSnippets",
      swiftSettings: upcoming))
  // The code of Validic's documents, as apps that were written for them have it.
  targets.append(
    .target(
      name: "ValidicSnippets",
      dependencies: [
        "SantorioOneTouch", "ValidicBluetooth", "ValidicCore", "ValidicHealthKit", "ValidicOCR",
        "ValidicOneTouch",
      ] + (hasStandIn ? ["CoreBluetooth", "HealthKit"] : []),
      path: "Tests/Documentation/ValidicSnippets", exclude: ["ObjectiveC"],
      swiftSettings: [.swiftLanguageMode(.v5)] + strictness))
}

// An app on a simulated phone, and the real server.
if hasTests, onLinux {
  targets.append(
    tests(
      "Capture", "SimulatedSystemTests",
      [
        "SantorioBluetooth", "SantorioCore", "HealthDevices", "HealthRecords", "IngestServer",
        "SantorioConcurrency", "SantorioFiles", "SantorioSQLite", "SessionTesting", "TestSupport",
        "VirtualDevices",
      ] + simulation))
}

// What runs in the Bluetooth lab's guest only; `Scripts/bluez-lab` and `Scripts/check` build it.
// The rules for radios are not public interface, so these are targets of this package.
if hasStandIn, isSet("LAB") {
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
if isSet("FUZZ") {
  for (name, subject) in [("FuzzPayloads", "PayloadInspection"), ("FuzzImages", "SantorioImages")] {
    targets.append(
      .executableTarget(
        name: name, dependencies: [.target(name: subject)], path: "Fuzz/\(name)",
        // libFuzzer brings the main function.
        swiftSettings: house + [.unsafeFlags(["-parse-as-library"])]))
  }
}

// A sanitizer is slow: `Scripts/check` names the tests in which it can find something, and only what
// these need is built.
if let names = Context.environment["TESTS"]?.split(separator: " ").map(String.init) {
  let dependencies = Dictionary(
    uniqueKeysWithValues: targets.map { ($0.name, $0.dependencies.compactMap(\.targetName)) })
  var (needed, waiting) = (Set<String>(), names)
  while let name = waiting.popLast() {
    if needed.insert(name).inserted { waiting += dependencies[name] ?? [] }
  }
  targets.removeAll { !needed.contains($0.name) }
  products = []
}

extension Target.Dependency {
  /// The target of this package.
  var targetName: String? {
    switch self {
    case .targetItem(let name, _), .byNameItem(let name, _): name
    default: nil
    }
  }
}

let package = Package(
  name: "santorio", defaultLocalization: "en",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: products,
  traits: [
    .trait(
      name: "SimulatedBluetooth",
      description: "Simulated radios in place of Core Bluetooth, for the Simulator and for tests."),
    .default(enabledTraits: simulated ? ["SimulatedBluetooth"] : []),
  ],
  targets: targets
)

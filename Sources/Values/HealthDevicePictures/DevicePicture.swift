// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The pictures of types of device: PNGs of 512 pixels square, transparent outside of their disc.
///
/// The package manager's own `Bundle.module` traps where they are missing. It is generated for this
/// module all the same, and compiles with the oldest SDK in Swift 5 mode only.
package enum DevicePicture {
  private static let folder = "Pictures"

  #if canImport(Darwin)
    private final class Marker {}

    private static let bundle: URL? = {
      let own = Bundle(for: Marker.self)
      let places = [Bundle.main.resourceURL, own.resourceURL, Bundle.main.bundleURL, own.bundleURL]
      return places.compactMap {
        $0?.appendingPathComponent("santorio_HealthDevicePictures.bundle")
      }
      .first { Bundle(url: $0) != nil }
    }()

    /// The file of a picture; nil where the app was built without it.
    package static func url(named name: String) -> URL? {
      bundle.flatMap(Bundle.init(url:))?
        .url(forResource: name, withExtension: "png", subdirectory: folder)
    }
  #else
    private static let executable =
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")

    /// The file of a picture; nil where the program was installed without it.
    package static func url(named name: String) -> URL? {
      executable.flatMap { url(named: name, besideExecutable: $0) }
    }

    static func url(named name: String, besideExecutable path: String) -> URL? {
      let file = URL(fileURLWithPath: path).deletingLastPathComponent()
        .appendingPathComponent("santorio_HealthDevicePictures.resources")
        .appendingPathComponent(folder).appendingPathComponent(name + ".png")
      return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
  #endif
}

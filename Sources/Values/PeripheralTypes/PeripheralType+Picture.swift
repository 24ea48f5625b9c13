// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import HealthDevicePictures

extension PeripheralType {
  /// The package's picture of this type of device: a PNG of 512 pixels square, transparent outside.
  ///
  /// Nil for a type of an app's own, and where the program was installed without the pictures: on
  /// Linux they are in the folder `santorio_HealthDevicePictures.resources` beside the executable.
  public var pictureURL: URL? {
    guard rawValue.allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
    return DevicePicture.url(named: pictureName)
  }

  /// The file's name without its end: `blood-pressure` for `bloodPressure`.
  private var pictureName: String {
    rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }
}

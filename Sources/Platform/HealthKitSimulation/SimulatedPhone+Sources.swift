// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit

extension SimulatedPhone {
  /// A watch or another app that saves data on the phone, see ``save(_:from:)``.
  ///
  /// HealthKit lets an app make no source but its own.
  ///
  /// - Parameters:
  ///   - name: The name that the Health app shows.
  ///   - bundleIdentifier: The app's bundle identifier; for a device any text that no other source has.
  ///   - productType: The kind of device such as `Watch6,2` or `iPhone14,5`; a watch counts before a
  ///     phone where samples overlap, and both before others.
  ///   - version: The version of the app.
  /// - Returns: The source at its version.
  public static func source(
    named name: String, bundleIdentifier: String, productType: String? = nil,
    version: String? = nil
  ) -> HKSourceRevision {
    HKSourceRevision(
      source: HKSource(name: name, bundleIdentifier: bundleIdentifier), version: version,
      productType: productType, operatingSystemVersion: OperatingSystemVersion())
  }
}

// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// What a manufacturer demands of an app before it may speak with a device.
public enum DeviceAuthorization: Hashable, Sendable {
  /// A key of the app's own, in a JSON file of this name: `{"key": "…"}`, the key in hexadecimal
  /// digits without `0x`.
  case keyFile(String)
  /// A licence file of this name.
  case license(String)
}

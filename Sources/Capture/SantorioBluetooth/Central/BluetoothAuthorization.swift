// SPDX-License-Identifier: Apache-2.0

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

/// Whether an app may use Bluetooth.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum BluetoothAuthorization: String, Hashable, Sendable {
  /// The user has not been asked yet.
  case notDetermined
  /// Parental controls or a management profile forbid it; the user may not allow it.
  case restricted
  /// The user has refused. Only the user can change that, in the system's settings.
  case denied
  /// It may.
  case allowed
}

extension BluetoothAuthorization {
  init(_ authorization: CBManagerAuthorization) {
    self =
      switch authorization {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .allowedAlways: .allowed
      @unknown default: .denied
      }
  }
}

extension CBManagerAuthorization {
  /// The authorization of a manager with these options, whether or not there is one.
  static func current(with options: [String: Any]) -> CBManagerAuthorization {
    #if SimulatedBluetooth || os(Linux)
      CBManager.authorization(with: options)
    #else
      CBManager.authorization
    #endif
  }
}

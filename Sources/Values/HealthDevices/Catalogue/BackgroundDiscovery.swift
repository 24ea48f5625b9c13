// SPDX-License-Identifier: Apache-2.0

/// How well a phone hears a device while the app that scans for it is in the background.
///
/// iOS then listens less often and for a shorter time, and only for services that are named. It says
/// nothing of a device to which a connection is waited for: that is made in the background, too.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum BackgroundDiscovery: String, Hashable, Sendable {
  /// As most devices: later than in the foreground.
  case usual
  /// Older phones sometimes do not hear it.
  case sometimesMissed
  /// It is usually not heard.
  case hardlyHeard
  /// It is not heard: it advertises no service by which the system could look for it.
  case impossible
}

extension BackgroundDiscovery: CustomStringConvertible {
  /// What that means for a user, in English.
  public var description: String {
    switch self {
    case .usual: "It is found in the background, later than in the foreground."
    case .sometimesMissed:
      "Older phones sometimes do not find it while the app is in the background."
    case .hardlyHeard: "It is usually not found while the app is in the background."
    case .impossible:
      "It is not found while the app is in the background, since it advertises no service."
    }
  }
}

extension DeviceModel {
  /// How well it is heard while the app is in the background.
  ///
  /// What is usually not heard is named by Validic's documentation of passive reading: the oximeters
  /// of Nonin, the oximeter and the scale of ChoiceMMed, and, on older phones, Pyle's thermometers.
  /// That a device without an advertised service is not heard follows from Apple's Core Bluetooth
  /// Programming Guide. An app's own device that is heard badly says so here.
  public var backgroundDiscovery: BackgroundDiscovery {
    get { ownBackgroundDiscovery ?? (advertisementFilter.services.isEmpty ? .impossible : .usual) }
    set { ownBackgroundDiscovery = newValue }
  }

  /// The same with what is known of how it is heard.
  func heard(_ discovery: BackgroundDiscovery) -> DeviceModel {
    var model = self
    model.ownBackgroundDiscovery = discovery
    return model
  }
}

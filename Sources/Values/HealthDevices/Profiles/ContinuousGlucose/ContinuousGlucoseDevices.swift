// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any sensor that keeps to the Continuous Glucose Monitoring Profile of the Bluetooth SIG.
  ///
  /// Validic's list has no such entry. Its generic entries are 1000 to 5000, one for each profile;
  /// this package's own continue them: 6000, 7000, and this one.
  public static let genericContinuousGlucose = DeviceModel(
    id: 8000, type: .continuousGlucoseMonitor, manufacturer: "",
    model: "Continuous glucose monitor",
    instructions: """
      Wear the sensor as its manual says, and keep the phone near. A sensor that speaks only to its \
      manufacturer's app cannot be read; those of Abbott, Dexcom and Medtronic, which most people \
      wear, are among them.
      """,
    pairingInstructions: genericPairing, requiresPairing: true, connectTimeout: .seconds(60),
    // The minutes of two weeks, by a few in each notification.
    readTimeout: .seconds(600),
    advertisementFilter: AdvertisementFilter(services: ["181F"]),
    drivers: [.continuousGlucoseProfile])

  static let continuousGlucoseMonitors = [genericContinuousGlucose]
}

extension GATTAttribute {
  package static let cgmMeasurement = GATTAttribute("181F", "2AA7")
  package static let cgmFeature = GATTAttribute("181F", "2AA8")
  package static let cgmStatus = GATTAttribute("181F", "2AA9")
  package static let cgmSessionStartTime = GATTAttribute("181F", "2AAA")
  package static let cgmSessionRunTime = GATTAttribute("181F", "2AAB")
  package static let cgmRecordAccess = GATTAttribute("181F", "2A52")
  package static let cgmSpecificOps = GATTAttribute("181F", "2AAC")
}

extension DriverModel {
  /// The Continuous Glucose Monitoring Profile.
  public static let continuousGlucoseProfile = DriverModel(
    id: "continuous-glucose-profile", name: "Continuous Glucose Monitoring Profile",
    required: [.cgmMeasurement, .cgmFeature, .cgmStatus, .cgmSessionStartTime, .cgmRecordAccess],
    optional: [.cgmSessionRunTime], confidence: .captured,
    sources: [
      "Bluetooth SIG, Continuous Glucose Monitoring Profile 1.0 and Continuous Glucose Monitoring "
        + "Service 1.0.2"
    ]
  ) { CGMDriver($0) }
}

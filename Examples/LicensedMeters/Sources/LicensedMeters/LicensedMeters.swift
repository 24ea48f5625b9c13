// SPDX-License-Identifier: Apache-2.0

public import HealthDevices

/// A licensee's plug-in: the protocols of meters whose catalogue entries are disabled without it.
///
/// The protocols here are stand-ins. A licensee puts the manufacturer's in their place and keeps
/// the shape: a driver, by what the device is recognised, and the check of the licence.
public enum LicensedMeters {
  /// The entries to be registered with a controller's device catalogue.
  public static var entries: [DeviceModel] {
    [
      DeviceModel(id: 32)?.enabled(
        recognizedBy: AdvertisementFilter(services: ["1808"], namePrefixes: ["PQCD"]),
        drivers: [agaMatrix]),
      DeviceModel(id: 33)?.enabled(
        recognizedBy: AdvertisementFilter(services: ["1808"], namePrefixes: ["CVS_HEALTH"]),
        drivers: [agaMatrix]),
      DeviceModel(id: 51)?.enabled(
        recognizedBy: AdvertisementFilter(
          services: [GATTAttribute.coagulationControl.service], namePrefixes: ["CoaguChek"]),
        drivers: [coagulationMeter], validatingLicense: StandInCryptography.validate),
    ].compactMap { $0 }
  }

  /// The Glucose Profile behind an authentication.
  public static let agaMatrix = DriverModel(
    id: "agamatrix", name: "AgaMatrix, Glucose Profile after authentication",
    required: DriverModel.glucoseProfile.required + [.agaMatrixAuthentication],
    optional: DriverModel.glucoseProfile.optional, confidence: .documented,
    sources: ["A stand-in for what AgaMatrix gives to its licensees"], readsMemory: true
  ) { context in
    AuthenticatedDriver(
      context, writing: .agaMatrixAuthentication, before: DriverModel.glucoseProfile.make(context))
  }

  /// Records that are encrypted with a key of each meter.
  public static let coagulationMeter = DriverModel(
    id: "coagulation-meter", name: "Encrypted coagulation meter",
    required: [.coagulationMeasurement, .coagulationControl], confidence: .documented,
    sources: ["A stand-in for what Roche gives to its licensees"], readsMemory: true
  ) { CoagulationMeterDriver($0) }
}

extension GATTAttribute {
  /// Where AgaMatrix's meters expect to be shown who reads them.
  static let agaMatrixAuthentication = GATTAttribute("1808", "521CD437-67BB-4ACC-9FF8-D2D39C5CA158")
  static let coagulationMeasurement = GATTAttribute(
    "9E4B0051-6F0A-4C1D-8E57-53414E544F52", "9E4B0052-6F0A-4C1D-8E57-53414E544F52")
  static let coagulationControl = GATTAttribute(
    "9E4B0051-6F0A-4C1D-8E57-53414E544F52", "9E4B0053-6F0A-4C1D-8E57-53414E544F52")
}

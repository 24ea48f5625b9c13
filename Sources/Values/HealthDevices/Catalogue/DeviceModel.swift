// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import HealthGATT

/// A model of device that can be read over Bluetooth Low Energy: one entry of the catalogue.
///
/// An app shows its users what is here: name, picture and what to do when. All texts can be
/// replaced by the app's own, which the generic entries ask for.
public struct DeviceModel: Hashable, Sendable, Identifiable {
  /// The number in the catalogue; the numbers are those of Validic's list of peripherals.
  public let id: Int
  /// What it measures.
  public let type: PeripheralType
  /// The manufacturer's name.
  public var manufacturer: String
  /// The model's name or number.
  public var model: String
  /// A picture of the device, where there is one.
  public var imageURL: URL?
  /// What the user does to begin a reading.
  public var instructions: String
  /// What the user does while it is read.
  public var readingInstructions: String
  /// What the user does to pair it; nil where it needs no pairing.
  public var pairingInstructions: String?
  /// Whether it must be paired before it can be read.
  public let requiresPairing: Bool
  /// Whether it can be found only after a measurement (or while pairing).
  ///
  /// Such a device is never "ready to read": when it is found, the measurement has been made.
  public let appearsAfterMeasurement: Bool
  /// Whether it is kept out of the list of supported peripherals.
  public let isDisabled: Bool
  /// How long to look for it and to connect before giving up.
  public var connectTimeout: Duration
  /// How long a reading may take, from the connection on.
  public var readTimeout: Duration
  /// How its advertisement is recognised.
  public let advertisementFilter: AdvertisementFilter
  /// How it is read once it is connected: the first whose attributes it has.
  ///
  /// The same trade name may stand for different insides, so that the name alone does not decide.
  package let drivers: [DriverModel]
  /// How its advertisements are read, for one that is never connected.
  package let broadcast: BroadcastModel?
  /// What its manufacturer demands of an app before it may speak with the device; nil for nothing.
  public var authorization: DeviceAuthorization?

  /// Adds an entry.
  package init(
    id: Int, type: PeripheralType, manufacturer: String, model: String, instructions: String,
    readingInstructions: String = receiving, pairingInstructions: String? = nil,
    requiresPairing: Bool = false, appearsAfterMeasurement: Bool = false, isDisabled: Bool = false,
    connectTimeout: Duration, readTimeout: Duration, advertisementFilter: AdvertisementFilter,
    drivers: [DriverModel] = [], broadcast: BroadcastModel? = nil
  ) {
    self.id = id
    self.type = type
    self.manufacturer = manufacturer
    self.model = model
    self.instructions = instructions
    self.readingInstructions = readingInstructions
    self.pairingInstructions = pairingInstructions
    self.requiresPairing = requiresPairing
    self.appearsAfterMeasurement = appearsAfterMeasurement
    self.isDisabled = isDisabled
    self.connectTimeout = connectTimeout
    self.readTimeout = readTimeout
    self.advertisementFilter = advertisementFilter
    self.drivers = drivers
    self.broadcast = broadcast
  }

  /// What most readings ask of the user.
  package static let receiving =
    "The device is sending its measurements. Keep the phone near until it is done."

  /// The name for a user: manufacturer and model.
  public var name: String { manufacturer.isEmpty ? model : "\(manufacturer) \(model)" }
}

/// What a peripheral measures.
public enum PeripheralType: String, Hashable, Sendable, CaseIterable {
  /// Body temperature.
  case thermometer
  /// Blood pressure and pulse rate.
  case bloodPressure
  /// Heart rate.
  case heartRate
  /// Blood glucose.
  case glucoseMeter
  /// Body weight.
  case weightScale
  /// Oxygen saturation and pulse rate.
  case pulseOximeter
  /// Coagulation (INR).
  case coagulationMeter

  /// The name for a user, in English.
  public var displayName: String {
    switch self {
    case .thermometer: "Thermometer"
    case .bloodPressure: "Blood pressure monitor"
    case .heartRate: "Heart rate monitor"
    case .glucoseMeter: "Glucose meter"
    case .weightScale: "Weight scale"
    case .pulseOximeter: "Pulse oximeter"
    case .coagulationMeter: "Coagulation meter"
    }
  }
}

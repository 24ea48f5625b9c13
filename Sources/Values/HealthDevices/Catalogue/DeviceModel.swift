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
  /// A picture of the device: the app's own, or else that of its type, see
  /// `PeripheralType.pictureURL`; nil where there is neither.
  ///
  /// Set it to show another picture; nil shows the type's again.
  public var imageURL: URL? {
    get { ownImageURL ?? type.pictureURL }
    set { ownImageURL = newValue }
  }
  private var ownImageURL: URL?
  /// The version of this package that could read the device first, for instance `1.4.2`.
  ///
  /// Nil for an entry that is disabled, and for an app's own unless the app has set it.
  public var version: String? {
    get { ownVersion ?? (isDisabled || id >= DeviceCatalogue.firstFreeNumber ? nil : "0.1.0") }
    set { ownVersion = newValue }
  }
  // Entries that came after the first version have one.
  private var ownVersion: String?
  /// What the user does to begin a reading.
  public var instructions: String
  /// What the user does while it is read.
  public var readingInstructions: String
  /// What the user does to pair it; nil where it needs no pairing.
  public var pairingInstructions: String?
  /// Whether it must be paired before it can be read.
  public let requiresPairing: Bool
  /// Whether it can be found only after a measurement (or while pairing).
  public let appearsAfterMeasurement: Bool
  /// Why it cannot be read, and what would make it readable, in English; nil for one that can.
  ///
  /// Such an entry is not in the list of supported devices.
  public private(set) var disabledReason: String?
  /// How long to look for it and to connect before giving up.
  public var connectTimeout: Duration
  /// How long a reading may take, from the connection on.
  public var readTimeout: Duration
  /// How its advertisement is recognised.
  public private(set) var advertisementFilter: AdvertisementFilter
  /// How it is read once it is connected: the first whose attributes it has.
  ///
  /// The same trade name may stand for different insides, so that the name alone does not decide.
  public private(set) var drivers: [DriverModel]
  /// How its advertisements are read, for one that is never connected.
  public let broadcast: BroadcastModel?
  /// What its manufacturer demands of an app before it may speak with the device; nil for nothing.
  public var authorization: DeviceAuthorization?
  /// The key of the single device, without which it cannot be read and which its user has to enter;
  /// nil for none.
  public var userKey: DeviceSecret?
  // That of the drivers, unless it is set.
  var ownUserNumbering: UserNumbering?
  // As its advertisement lets expect, unless it is set.
  var ownBackgroundDiscovery: BackgroundDiscovery?
  private var license: LicenseValidation?

  /// Describes a device.
  ///
  /// An app's own device is read after ``DeviceCatalogue/register(_:)``.
  ///
  /// - Parameters:
  ///   - id: The number in the catalogue; for an app's own from
  ///     ``DeviceCatalogue/firstFreeNumber`` on.
  ///   - type: What it measures.
  ///   - manufacturer: The manufacturer's name.
  ///   - model: The model's name or number.
  ///   - instructions: What the user does to begin a reading.
  ///   - readingInstructions: What the user does while it is read; ``usingNow`` or ``receiving`` when
  ///     nil.
  ///   - pairingInstructions: What the user does to pair it.
  ///   - requiresPairing: Whether it must be paired before it can be read.
  ///   - appearsAfterMeasurement: Whether it can be found only after a measurement.
  ///   - disabledReason: Why it cannot be read; nil for one that can.
  ///   - connectTimeout: How long to look for it and to connect.
  ///   - readTimeout: How long a reading may take, from the connection on.
  ///   - advertisementFilter: How its advertisement is recognised.
  ///   - drivers: How it is read once it is connected: the first whose attributes it has.
  ///   - broadcast: How its advertisements are read, for one that is never connected.
  public init(
    id: Int, type: PeripheralType, manufacturer: String, model: String, instructions: String,
    readingInstructions: String? = nil, pairingInstructions: String? = nil,
    requiresPairing: Bool = false, appearsAfterMeasurement: Bool = false,
    disabledReason: String? = nil,
    connectTimeout: Duration, readTimeout: Duration, advertisementFilter: AdvertisementFilter,
    drivers: [DriverModel] = [], broadcast: BroadcastModel? = nil
  ) {
    self.id = id
    self.type = type
    self.manufacturer = manufacturer
    self.model = model
    self.instructions = instructions
    self.pairingInstructions = pairingInstructions
    self.requiresPairing = requiresPairing
    self.appearsAfterMeasurement = appearsAfterMeasurement
    self.disabledReason = disabledReason
    self.connectTimeout = connectTimeout
    self.readTimeout = readTimeout
    self.advertisementFilter = advertisementFilter
    self.drivers = drivers
    self.broadcast = broadcast
    self.readingInstructions = ""
    self.readingInstructions =
      readingInstructions ?? (isUsedBeforeConnecting ? Self.usingNow : Self.receiving)
  }

  /// What a reading asks of the user for a device that is used before it connects.
  public static let usingNow =
    "Use the device now. Keep the phone near until the measurements have arrived."

  /// What other readings ask of the user.
  public static let receiving =
    "The device is sending its measurements. Keep the phone near until it is done."

  /// Whether its user has to use it before it can be connected: to measure, or to have it send what
  /// it keeps.
  ///
  /// Of another device the user is told to use it once it is connected.
  public var isUsedBeforeConnecting: Bool {
    appearsAfterMeasurement || isAskedForMemory
  }

  /// True for a device that is asked for its measurements, and says when there are no more.
  package var isAskedForMemory: Bool { !drivers.isEmpty && drivers.allSatisfy(\.readsMemory) }

  /// True where the device says that it has sent all that it keeps.
  package var tellsEndOfMemory: Bool { !drivers.isEmpty && drivers.allSatisfy(\.tellsEndOfMemory) }

  /// Whether it cannot be read, see ``disabledReason``.
  public var isDisabled: Bool { disabledReason != nil }

  /// The name for a user: manufacturer and model.
  public var name: String { manufacturer.isEmpty ? model : "\(manufacturer) \(model)" }
}

extension DeviceModel: CustomStringConvertible {
  /// The name and the number.
  public var description: String { "\(name) (\(id))" }
}

extension DeviceModel {
  /// The entry with the protocol that its manufacturer gives to licensees only.
  ///
  /// Numbers, texts, timeouts, and the file of the key or licence stay as they are. See the article
  /// `LicensedDevices` of `SantorioBluetooth`.
  ///
  /// - Parameters:
  ///   - filter: How its advertisement is recognised.
  ///   - drivers: How it is read once it is connected. A driver finds the app's key, the licence,
  ///     and the key of the device in ``DriverContext/secrets``.
  ///   - validate: Throws when the bytes of a licence file do not hold; what it throws is shown to
  ///     the app's developer and must not contain a key. It must not wait for anything.
  /// - Returns: The entry, to be registered with ``DeviceCatalogue/register(_:)``.
  public func enabled(
    recognizedBy filter: AdvertisementFilter, drivers: [DriverModel],
    validatingLicense validate: (@Sendable ([UInt8]) throws -> Void)? = nil
  ) -> DeviceModel {
    var entry = self
    entry.disabledReason = nil
    entry.advertisementFilter = filter
    entry.drivers = drivers
    entry.license = validate.map(LicenseValidation.init)
    return entry
  }

  /// Checks the bytes of a licence file.
  package func validate(license bytes: [UInt8]) throws { try license?.validate(bytes) }

  /// Entries are compared by what they describe; the check of a licence is code.
  private struct LicenseValidation: Hashable, Sendable {
    let validate: @Sendable ([UInt8]) throws -> Void

    static func == (left: Self, right: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}

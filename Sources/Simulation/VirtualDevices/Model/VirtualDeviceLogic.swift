// SPDX-License-Identifier: Apache-2.0

public import HealthDevices
import HealthGATT

/// How a virtual device behaves: what it answers and sends, without a radio.
///
/// More inputs may be added later: write `default` where you switch over them.
public protocol VirtualDeviceLogic: Sendable {
  /// Its attributes, which never change.
  var services: [VirtualService] { get }
  /// Whether it advertises at present.
  var isAdvertising: Bool { get }
  /// The data that it advertises beside name and services; nil for none.
  var broadcast: VirtualBroadcast? { get }
  /// When ``VirtualDeviceInput/timeReached`` is due; nil for never.
  var deadline: Duration? { get }

  /// Handles an input and returns the device's actions, in order.
  mutating func handle(_ input: VirtualDeviceInput, at time: DriverTime) -> [VirtualDeviceOutput]

  /// Measures given values, where ``VirtualDeviceInput/measure(number:)`` measures any.
  ///
  /// - Parameters:
  ///   - measurement: What is measured.
  ///   - time: When; a time that has passed puts the measurement into the device's memory.
  /// - Returns: The device's actions, in order; nil when the device does not measure such values.
  mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]?

  /// Erases the measurements in its memory, as of a device that is new.
  mutating func eraseMeasurements()
}

extension VirtualDeviceLogic {
  /// Nothing.
  public var broadcast: VirtualBroadcast? { nil }
  /// Nothing is waited for.
  public var deadline: Duration? { nil }

  /// The device measures values of its own only.
  public mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? { nil }

  /// There is nothing to erase.
  public mutating func eraseMeasurements() {}
}

/// What happens to a virtual device.
public enum VirtualDeviceInput: Hashable, Sendable {
  /// Its user measures with it; the numbers count from 1, and values may be made of them.
  case measure(number: Int)
  /// Adds measurements to its memory: payloads in its own format, oldest first.
  case remember([[UInt8]])
  /// Its user puts it into its pairing mode.
  case pairingMode
  /// A central subscribes to a characteristic.
  case subscribed(GATTAttribute)
  /// A central unsubscribes from a characteristic.
  case unsubscribed(GATTAttribute)
  /// A central reads a characteristic without a fixed value: answer or refuse.
  case read(GATTAttribute)
  /// A central writes; accepted unless the outputs contain `refuse`.
  case written(GATTAttribute, [UInt8])
  /// The last subscription has ended; `allArrived` is true when nothing sent can have been lost.
  case disconnected(allArrived: Bool)
  /// A deadline may have been reached.
  case timeReached
}

/// What a virtual device does.
public enum VirtualDeviceOutput: Hashable, Sendable {
  /// The answer to a read.
  case answer([UInt8])
  /// The answer to a write.
  case accept
  /// Refuses a read or a write with an ATT error.
  case refuse(UInt8)
  /// Notifies or indicates a value.
  case send(GATTAttribute, [UInt8])
  /// Reports an event to its owner.
  case report(VirtualDeviceEvent)
}

/// A service of a virtual device.
public struct VirtualService: Hashable, Sendable {
  /// Its UUID, in upper case.
  public let uuid: String
  /// What is in it.
  public let characteristics: [VirtualCharacteristic]

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - uuid: A 16-bit or 128-bit UUID.
  ///   - characteristics: What is in it.
  public init(_ uuid: String, _ characteristics: [VirtualCharacteristic]) {
    self.uuid = uuid.uppercased()
    self.characteristics = characteristics
  }
}

/// A characteristic of a virtual device.
public struct VirtualCharacteristic: Hashable, Sendable {
  /// What a central may do with it.
  public struct Properties: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its value may be read.
    public static let read = Properties(rawValue: 1)
    /// It may be written with a response.
    public static let write = Properties(rawValue: 2)
    /// It may be written without a response.
    public static let writeWithoutResponse = Properties(rawValue: 4)
    /// It notifies.
    public static let notify = Properties(rawValue: 8)
    /// It indicates.
    public static let indicate = Properties(rawValue: 16)
  }

  /// Its UUID, in upper case.
  public let uuid: String
  /// What a central may do with it.
  public let properties: Properties
  /// Whether it is given to bonded peers only.
  public let isProtected: Bool
  /// The value of a characteristic that is only read and never changes.
  public let value: [UInt8]?

  /// Makes a characteristic whose requests the device answers.
  ///
  /// - Parameters:
  ///   - uuid: A 16-bit or 128-bit UUID.
  ///   - properties: What a central may do with it.
  ///   - isProtected: Whether it is given to bonded peers only.
  public init(
    _ uuid: String, _ properties: Properties, isProtected: Bool = false
  ) {
    self.uuid = uuid.uppercased()
    self.properties = properties
    self.isProtected = isProtected
    value = nil
  }

  /// A value that never changes.
  public init(_ uuid: String, value: [UInt8]) {
    self.uuid = uuid.uppercased()
    properties = .read
    isProtected = false
    self.value = value
  }

  /// A text that never changes.
  public init(_ uuid: String, text: String) { self.init(uuid, value: Array(text.utf8)) }
}

/// What a device that is never connected sends out beside its name and services.
public struct VirtualBroadcast: Hashable, Sendable {
  /// Service data by service UUID.
  public var serviceData: [String: [UInt8]]
  /// The company identifier (two bytes, least significant first) and what follows it.
  public var manufacturerData: [UInt8]

  /// Describes a broadcast.
  public init(serviceData: [String: [UInt8]] = [:], manufacturerData: [UInt8] = []) {
    self.serviceData = serviceData
    self.manufacturerData = manufacturerData
  }
}

extension VirtualService {
  /// Device Information (180A).
  ///
  /// - Parameters:
  ///   - manufacturer: The manufacturer's name.
  ///   - model: The model's number.
  ///   - serialNumber: The serial number.
  ///   - firmwareRevision: The revision of the firmware.
  ///   - systemID: The System ID; nil for a device without one.
  /// - Returns: The service.
  public static func deviceInformation(
    manufacturer: String, model: String, serialNumber: String, firmwareRevision: String,
    systemID: UInt64? = nil
  ) -> VirtualService {
    let number = systemID.map {
      VirtualCharacteristic("2A23", value: SystemID(rawValue: $0).payload)
    }
    return VirtualService(
      "180A",
      [
        VirtualCharacteristic("2A29", text: manufacturer),
        VirtualCharacteristic("2A24", text: model),
        VirtualCharacteristic("2A25", text: serialNumber),
        VirtualCharacteristic("2A26", text: firmwareRevision),
      ] + [number].compactMap(\.self))
  }

  /// Battery (180F).
  public static func battery(percent: UInt8) -> VirtualService {
    VirtualService("180F", [VirtualCharacteristic("2A19", value: [percent])])
  }
}

// SPDX-License-Identifier: Apache-2.0

import HealthDevices
public import VirtualDevices

/// A glucose meter that demands the app's authentication before anything else.
///
/// It speaks the stand-in of the driver for AgaMatrix's meters.
struct VirtualLicensedMeter: VirtualDeviceLogic {
  private static let attribute = GATTAttribute.agaMatrixAuthentication

  private let key: [UInt8]
  private var meter: any VirtualDeviceLogic
  private var isAuthenticated = false

  init(_ meter: any VirtualDeviceLogic, key: [UInt8]) {
    self.meter = meter
    self.key = key
  }

  var isAdvertising: Bool { meter.isAdvertising }
  var deadline: Duration? { meter.deadline }

  var services: [VirtualService] {
    meter.services.map { service in
      guard service.uuid == Self.attribute.service else { return service }
      let door = VirtualCharacteristic(Self.attribute.characteristic, .write, isProtected: true)
      return VirtualService(service.uuid, service.characteristics + [door])
    }
  }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .written(Self.attribute, let bytes):
      isAuthenticated = bytes == StandInCryptography(key: key).authentication
      return [isAuthenticated ? .accept : .refuse(0x08)]
    case .written where !isAuthenticated: return [.refuse(0x08)]
    case .disconnected:
      isAuthenticated = false
      return meter.handle(input, at: time)
    default: return meter.handle(input, at: time)
    }
  }
}

extension VirtualDeviceModel {
  /// A glucose meter behind the stand-in for AgaMatrix's authentication.
  ///
  /// - Parameter key: The key of the app that it accepts.
  /// - Returns: The model.
  public static func jazzWireless2(
    key: [UInt8] = StandInCryptography.exampleKey
  ) -> VirtualDeviceModel {
    licensed("jazz-wireless-2", 32, "AgaMatrix Jazz Wireless 2", "PQCD000032", key)
  }

  /// The same meter under CVS Health's name.
  ///
  /// - Parameter key: The key of the app that it accepts.
  /// - Returns: The model.
  public static func cvsHealthMeter(
    key: [UInt8] = StandInCryptography.exampleKey
  ) -> VirtualDeviceModel {
    licensed("cvs-health-meter", 33, "CVS Health Advanced meter", "CVS_HEALTH000033", key)
  }

  private static func licensed(
    _ id: String, _ number: Int, _ device: String, _ name: String, _ key: [UInt8]
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: "\(device): authenticates the app first; a stand-in for that.",
      peripheralID: number, advertisedName: name, advertisedServices: ["1808"],
      readingCount: 4
    ) { clock in
      let meter = VirtualDeviceModel.glucoseMeter.make(clock)
      return VirtualLicensedMeter(meter, key: key)
    }
  }
}

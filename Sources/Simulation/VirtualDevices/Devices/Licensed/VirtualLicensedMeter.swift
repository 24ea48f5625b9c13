// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A glucose meter that wants to be told who reads it before it hears anything else.
///
/// It speaks the stand-in of the driver for AgaMatrix's meters.
package struct VirtualLicensedMeter: VirtualDeviceLogic {
  private static let attribute = Attribute.agaMatrixAuthentication

  private let key: [UInt8]
  private var meter: VirtualGlucoseMeter
  private var isAuthenticated = false

  package init(_ meter: VirtualGlucoseMeter, key: [UInt8]) {
    self.meter = meter
    self.key = key
  }

  package var isAdvertising: Bool { meter.isAdvertising }
  package var deadline: Duration? { meter.deadline }

  package var services: [VirtualService] {
    meter.services.map { service in
      guard service.uuid == Self.attribute.service else { return service }
      let door = VirtualCharacteristic(Self.attribute.characteristic, .write, isProtected: true)
      return VirtualService(service.uuid, service.characteristics + [door])
    }
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .written(Self.attribute, let bytes):
      let expected = try? FakeVendorCryptography().response(to: [], key: key)
      isAuthenticated = bytes == expected
      return [isAuthenticated ? .accept : .refuse(0x08)]
    case .written where !isAuthenticated: return [.refuse(0x08)]
    case .left:
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
    key: [UInt8] = FakeVendorCryptography.exampleKey
  ) -> VirtualDeviceModel {
    licensed("jazz-wireless-2", 32, "AgaMatrix Jazz Wireless 2", "PQCD000032", key)
  }

  /// The same meter under CVS Health's name.
  ///
  /// - Parameter key: The key of the app that it accepts.
  /// - Returns: The model.
  public static func cvsHealthMeter(
    key: [UInt8] = FakeVendorCryptography.exampleKey
  ) -> VirtualDeviceModel {
    licensed("cvs-health-meter", 33, "CVS Health Advanced meter", "CVS_HEALTH000033", key)
  }

  private static func licensed(
    _ id: String, _ number: Int, _ device: String, _ name: String, _ key: [UInt8]
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: "\(device): authenticates the app first; a stand-in of ours for that.",
      peripheralID: number, advertisedName: name, advertisedServices: ["1808"],
      readingCount: 3
    ) { clock in
      let meter = VirtualGlucoseMeter(
        .init(
          manufacturer: "AgaMatrix", model: device, serialNumber: name, firmwareRevision: "1.0",
          memory: .profile), clock: clock)
      return VirtualLicensedMeter(meter, key: key)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Santorio
import VirtualDevices

/// An Acme T1 without hardware: it notifies of the temperature that is rising, then of the result.
struct VirtualAcmeThermometer: VirtualDeviceLogic {
  var isAdvertising: Bool { true }

  var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.acmeTemperature.service,
        [VirtualCharacteristic(GATTAttribute.acmeTemperature.characteristic, .notify)]),
      .deviceInformation(
        manufacturer: "Acme", model: "T1", serialNumber: "T1-000042", firmwareRevision: "1.0"),
    ]
  }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .subscribed(.acmeTemperature):
      [notification(3450, .rising), notification(3700, .result)]
    case .read, .written: [.refuse(0x06)]
    default: []
    }
  }

  private func notification(
    _ centiCelsius: UInt16, _ state: AcmeTemperature.State
  ) -> VirtualDeviceOutput {
    .send(.acmeTemperature, AcmeTemperature(centiCelsius: centiCelsius, state: state).payload)
  }
}

extension VirtualDeviceModel {
  /// A virtual Acme T1, which measures 37.0 °C.
  public static let acmeT1 = VirtualDeviceModel(
    id: "acme-t1", summary: "Acme T1 thermometer: one measurement after each subscription.",
    peripheralID: DeviceModel.acmeT1.id, advertisedName: "Acme T1",
    advertisedServices: [GATTAttribute.acmeTemperature.service], readingCount: 1
  ) { _ in VirtualAcmeThermometer() }
}

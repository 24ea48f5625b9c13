// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Santorio

extension GATTAttribute {
  /// Where the thermometer notifies of temperatures.
  static let acmeTemperature = GATTAttribute(
    "9B2A0001-51F0-4C1D-8E57-2C1B6D2F7A10", "9B2A0002-51F0-4C1D-8E57-2C1B6D2F7A10")
}

extension DriverModel {
  /// The protocol of the Acme thermometer.
  public static let acmeThermometer = DriverModel(
    id: "acme-thermometer", name: "Acme thermometer", required: [.acmeTemperature],
    confidence: .documented, sources: ["Acme, T1 Bluetooth protocol, revision 3"]
  ) { context in
    PushDriver(
      context, steps: .facts + [.subscribe(.acmeTemperature)], measurements: [.acmeTemperature]
    ) { _, bytes, _ in
      DeviceReading(acme: bytes)
    }
  }
}

extension DeviceReading {
  /// A notification of the thermometer; nil while the temperature rises.
  init?(acme bytes: [UInt8]) {
    do throws(PayloadError) {
      let temperature = try AcmeTemperature(payload: bytes)
      switch temperature.state {
      case .rising: return nil
      case .result:
        let celsius = Double(temperature.centiCelsius) / 100
        self.init([Metric(.bodyTemperature, celsius)], payload: bytes)
      case .failed:
        self.init(
          rejected: .failedMeasurement, "The thermometer reports a failure. Measure again.",
          payload: bytes)
      }
    } catch {
      self.init(error, payload: bytes)
    }
  }
}

extension DeviceModel {
  /// The catalogue's entry of the Acme T1.
  public static let acmeT1 = DeviceModel(
    id: DeviceCatalogue.firstFreeNumber, type: .thermometer, manufacturer: "Acme", model: "T1",
    instructions: "Switch the thermometer on and take your temperature.",
    connectTimeout: .seconds(60), readTimeout: .seconds(90),
    advertisementFilter: AdvertisementFilter(services: [GATTAttribute.acmeTemperature.service]),
    drivers: [.acmeThermometer])
}

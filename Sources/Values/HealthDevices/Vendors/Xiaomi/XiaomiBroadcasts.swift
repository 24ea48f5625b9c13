// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension BroadcastModel {
  /// Xiaomi Mi Smart Scale: the weight only.
  package static let miScale = BroadcastModel(
    id: "mi-scale", name: "Xiaomi Mi Scale", confidence: .agreed,
    sources: ["Bluetooth-Devices/xiaomi-ble", "openScale, MiScaleHandler"],
    matches: { $0.serviceData["181D"]?.count == 10 },
    make: { context in
      ScaleBroadcastDriver(context) { advertisement, _ in
        (try? MiScaleAdvertisement(payload: advertisement.serviceData["181D"] ?? []))?.news
      }
    })

  /// Xiaomi Mi Body Composition Scale 1 and 2: the weight, and then the impedance with it.
  package static let miBodyScale = BroadcastModel(
    id: "mi-body-scale", name: "Xiaomi Mi Body Composition Scale", confidence: .agreed,
    sources: ["Bluetooth-Devices/xiaomi-ble", "openScale, MiScaleHandler"],
    matches: { $0.serviceData["181B"]?.count == 13 },
    make: { context in
      ScaleBroadcastDriver(context) { advertisement, _ in
        (try? MiBodyScaleAdvertisement(payload: advertisement.serviceData["181B"] ?? []))?.news
      }
    })

  /// Xiaomi Body Composition Scale S400: encrypted with the device's bind key.
  package static let xiaomiS400 = BroadcastModel(
    id: "xiaomi-s400", name: "Xiaomi Body Composition Scale S400", confidence: .agreed,
    sources: ["Bluetooth-Devices/xiaomi-ble", "openScale, MiScaleS400Handler"],
    matches: { advertisement in
      let beacon = try? MiBeacon(payload: advertisement.serviceData["FE95"] ?? [])
      return beacon?.productID == XiaomiS400Measurement.productID
    },
    make: { context in
      let secret = BindSecret(context.secrets[.bindKey] ?? [])
      return ScaleBroadcastDriver(context) { advertisement, time in
        guard let beacon = try? MiBeacon(payload: advertisement.serviceData["FE95"] ?? []) else {
          return nil
        }
        return beacon.news(secret, at: time)
      }
    })
}

/// What the application keeps for an S400: its bind key, and its address, which decryption needs
/// and Core Bluetooth does not give.
package struct BindSecret: Hashable, Sendable {
  package let key: BindKey
  package let address: DeviceAddress

  /// Makes a secret.
  package init(key: BindKey, address: DeviceAddress) {
    self.key = key
    self.address = address
  }

  /// Takes 16 bytes of a key and 6 of an address; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 22, let address = DeviceAddress(bytes: bytes.suffix(6)),
      let key = BindKey(bytes: Array(bytes.prefix(16)))
    else { return nil }
    self.init(key: key, address: address)
  }

  /// As it is kept.
  package var bytes: [UInt8] { key.bytes + address.bytes }
}

extension MiScaleAdvertisement {
  fileprivate var news: ScaleBroadcastDriver.Interpretation? {
    guard !isRemoved else { return .left }
    let reading = DeviceReading(
      kilograms: kilograms, shown: unit.shown(weight),
      clock: timestamp.localDateTime.map { .local($0) }, payload: payload)
    return reading.map { .sample(WeightSample($0, isSettled: isSettled)) } ?? .left
  }
}

extension MiBodyScaleAdvertisement {
  fileprivate var news: ScaleBroadcastDriver.Interpretation? {
    guard !isRemoved else { return .left }
    let reading = DeviceReading(
      kilograms: kilograms, shown: unit.shown(weight), [(.bodyImpedance, plausibleOhms)],
      clock: timestamp.localDateTime.map { .local($0) }, payload: payload)
    return reading.map {
      .sample(WeightSample($0, isSettled: isSettled, isComplete: plausibleOhms != nil))
    } ?? .left
  }

  /// Above 3000 Ω there was no contact.
  private var plausibleOhms: Double? {
    ohms.flatMap { (1..<3000).contains($0) ? Double($0) : nil }
  }
}

extension MiBeacon {
  fileprivate func news(_ secret: BindSecret?, at time: DriverTime) -> ScaleBroadcastDriver
    .Interpretation?
  {
    guard let secret else {
      let message = """
        The scale's broadcasts are encrypted. Store its bind key (16 bytes) and its address (6) \
        for it.
        """
      return .failure(DriverFailure(.notAuthorized, message))
    }
    do throws(PayloadError) {
      let object = try open(key: secret.key, address: secret.address)
      return (try? XiaomiS400Measurement(payload: object))?.news
    } catch {
      return .failure(
        DriverFailure(
          .notAuthorized,
          "The bind key or the address is not this scale's. Store the right ones for it."))
    }
  }
}

extension XiaomiS400Measurement {
  /// The model in a MiBeacon.
  package static let productID: UInt16 = 0x3BD5

  /// The second object of a weighing, and one with nothing in it, end it.
  fileprivate var news: ScaleBroadcastDriver.Interpretation? {
    let reading = DeviceReading(
      kilograms: kilograms, [(.pulse, heartRate.map(Double.init)), (.bodyImpedance, ohms)],
      payload: payload)
    return reading.map { .sample(WeightSample($0, isSettled: true, isComplete: false)) } ?? .left
  }
}

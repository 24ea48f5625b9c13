// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// Yunmai Mini, SE and their kin.
  ///
  /// The body fat is the scale's own, of the user that it holds; no user is written to it.
  package static let yunmai = DriverModel(
    id: "yunmai", name: "Yunmai scale", required: [.yunmaiWeight, .yunmaiCommand],
    confidence: .agreed,
    sources: ["openScale, YunmaiHandler", "KristianP26/ble-scale-sync, yunmai"]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.yunmaiWeight)], sources: [.yunmaiWeight],
      opening: { time in
        [
          .write(.yunmaiCommand, setClock(at: time)),
          .write(.yunmaiCommand, [0x0D, 0x05, 0x13, 0x00, 0x16]),
        ]
      }, decoder: YunmaiDecoder())
  }

  /// Seconds since 1970, most significant byte first.
  private static func setClock(at time: DriverTime) -> [UInt8] {
    let seconds = UInt32(clamping: Int(time.secondsSince1970.rounded(.down)))
    var writer = PayloadWriter()
    writer.append([0x0D, 0x0D, 0x11])
    writer.bigEndianUInt32(seconds)
    writer.append([0, 0, 0, 0, 0])
    writer.append(.exclusiveOr, from: 1)
    return writer.bytes
  }
}

extension GATTAttribute {
  fileprivate static let yunmaiWeight = GATTAttribute("FFE0", "FFE4")
  fileprivate static let yunmaiCommand = GATTAttribute("FFE5", "FFE9")
}

private struct YunmaiDecoder: ScaleDecoder {
  /// Before 1980 a clock was never set.
  private static let firstPlausibleSecond: UInt32 = 315_532_800

  func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    guard let measurement = try YunmaiFrame(payload: bytes).measurement() else { return .init() }
    let seconds = measurement.seconds
    let reading = DeviceReading(
      kilograms: measurement.kilograms,
      [
        (.bodyImpedance, measurement.ohms.map(Double.init)),
        (.bodyFat, measurement.bodyFatPercentage),
      ], clock: seconds < Self.firstPlausibleSecond ? nil : .universal(Double(seconds)),
      payload: bytes)
    return .init(reading.map { WeightSample($0, isSettled: true) })
  }
}

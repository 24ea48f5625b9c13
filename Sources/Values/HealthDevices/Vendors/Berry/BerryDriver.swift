// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Berry BM1000.
  package static let berry = DriverModel(
    id: "berry-bci", name: "Berry BM1000", required: [.berryPackets], confidence: .captured,
    sources: ["zh2x/BCI_Protocol", "PyPI berry-oximeter 0.0.3"]
  ) { context in
    LiveOximeterDriver(
      context, source: .berryPackets, listening: StreamedPayloads(BerryPacket.self))
  }
}

extension GATTAttribute {
  /// What a device sends over the Transparent UART service of its Bluetooth module.
  package static let berryPackets = GATTAttribute(
    "49535343-FE7D-4AE5-8FA9-9FAFD205E455", "49535343-1E4D-4BD9-BA61-23C647249616")
}

extension BerryPacket: OximetryPayload {
  package var moment: OximetryMoment? { OximetryMoment(sample, payload: payload) }
}

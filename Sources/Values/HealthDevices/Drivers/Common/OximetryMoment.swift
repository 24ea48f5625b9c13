// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
package import HealthRecords

/// What an oximeter sends about one moment.
package struct OximetryMoment: Hashable, Sendable {
  /// The values; nil without a finger, and while the oximeter looks for a pulse.
  package let sample: OximetrySample?
  /// Whether there is a finger, with or without values.
  package let isOnFinger: Bool
  /// Whether the oximeter itself says that the values are to be recorded; for those that judge it.
  package let isQualified: Bool
  /// What it reports about itself beside them.
  package let facts: [DeviceInformation]
  /// The bytes that it was made of.
  package let payload: [UInt8]

  package init(
    _ sample: OximetrySample?, isOnFinger: Bool? = nil, isQualified: Bool = false,
    facts: [DeviceInformation] = [], payload: [UInt8]
  ) {
    self.sample = sample
    self.isOnFinger = isOnFinger ?? (sample != nil)
    self.isQualified = isQualified
    self.facts = facts
    self.payload = payload
  }
}

/// A payload of a live oximeter.
package protocol OximetryPayload: CharacteristicValue {
  /// The values of the moment; nil for anything else, for instance the curve.
  var moment: OximetryMoment? { get }
}

/// Makes moments of what a live oximeter notifies; what is damaged is skipped.
package protocol OximetryListening: Sendable {
  mutating func received(_ bytes: [UInt8]) -> [OximetryMoment]
}

/// Of an oximeter that sends one payload a notification.
package struct WholePayloads<Payload: OximetryPayload>: OximetryListening {
  package init(_: Payload.Type) {}

  package func received(_ bytes: [UInt8]) -> [OximetryMoment] {
    (try? Payload(payload: bytes))?.moment.map { [$0] } ?? []
  }
}

/// Of an oximeter whose frames run over notifications as a stream.
package struct StreamedPayloads<Payload: OximetryPayload & StreamedFrame>: OximetryListening {
  private var assembler = FrameAssembler<Payload>()

  package init(_: Payload.Type) {}

  package mutating func received(_ bytes: [UInt8]) -> [OximetryMoment] {
    assembler.received(bytes).compactMap(\.moment)
  }
}

extension OximetrySample {
  /// The values for a reading.
  package var values: [Metric] {
    [.init(.oxygenSaturation, saturation), .init(.pulse, pulseRate)]
      + (perfusionIndex.map { [.init(.perfusionIndex, $0)] } ?? [])
  }
}

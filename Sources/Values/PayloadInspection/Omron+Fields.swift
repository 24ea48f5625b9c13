// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A layout that has a row in the table of payloads.
protocol OmronModel: Hashable, Sendable {
  static var layout: OmronRecordLayout { get }
}

enum HEM6232T: OmronModel {
  static let layout = OmronRecordLayout.hem6232T
}

enum HEM7142T2: OmronModel {
  static let layout = OmronRecordLayout.hem7142T2
}

enum HEM7322T: OmronModel {
  static let layout = OmronRecordLayout.hem7322T
}

enum HEM7361T: OmronModel {
  static let layout = OmronRecordLayout.hem7361T
}

enum HEM7530T: OmronModel {
  static let layout = OmronRecordLayout.hem7530T
}

/// A slot of a model's memory that must hold a measurement.
struct OmronSlot<Model: OmronModel>: FieldRepresentable {
  let record: OmronRecord

  init(payload: some Collection<UInt8>) throws(PayloadError) {
    guard let record = try OmronRecord(slot: payload, layout: Model.layout) else {
      throw PayloadError(
        .reservedValue, field: "Slot", offset: 0,
        message: "The slot is empty. There is nothing to read.")
    }
    self.record = record
  }

  var fields: [DecodedPayload.Field] {
    [
      .init("sys", .init(record.systolic)),
      .init("dia", .init(record.diastolic)),
      .init("pulse", .init(record.pulseRate)),
      .init("movement", .bool(record.hasBodyMovement)),
      .init("irregular", .bool(record.hasIrregularPulse)),
      .init("timestamp", .init(record.time)),
    ]
  }
}

extension OmronFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let kind = [UInt8(kind.rawValue >> 8), UInt8(kind.rawValue & 0xFF)]
    return [
      .init("type", .init(hexadecimal: kind)),
      .init("address", .init(address)),
      .init("size", .init(size)),
      .init("data", .init(hexadecimal: data)),
    ]
  }
}

extension OmronAdvertisement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("format", .init(format)),
      .init("flags", .init(flags.rawValue)),
      .init("time_not_set", .bool(flags.contains(.timeNotSet))),
      .init("pairing", .bool(flags.contains(.pairing))),
      .init("streaming", .bool(flags.contains(.streaming))),
      .init("memory_service", .bool(flags.contains(.memoryService))),
      .init(
        "users",
        .list(
          users.map {
            .object([
              .init("last_sequence", .init($0.lastSequence)),
              .init("unsent", .init($0.unsentCount)),
            ])
          })),
    ]
  }
}

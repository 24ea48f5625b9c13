// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A device's password and a challenge, one after the other.
struct TranstekProof: CharacteristicValue, FieldRepresentable {
  let password: TranstekWord
  let challenge: TranstekWord

  init(from reader: inout PayloadReader) throws(PayloadError) {
    password = try TranstekWord(from: &reader)
    challenge = try TranstekWord(from: &reader)
  }

  func encode(to writer: inout PayloadWriter) {
    password.encode(to: &writer)
    challenge.encode(to: &writer)
  }

  var fields: [DecodedPayload.Field] {
    [.init("response", .init(hexadecimal: password.response(to: challenge).payload))]
  }
}

extension TranstekTime: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("seconds", .init(seconds)), .init("timestamp", .init(dateTime))]
  }
}

extension TranstekRecord: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("header", .init(header)),
      .init("sys", .init(systolic)),
      .init("dia", .init(diastolic)),
      .init("pulse", .init(pulseRate)),
      .init("timestamp", .init(time.dateTime)),
      .init("movement", .bool(flags.contains(.bodyMovement))),
      .init("irregular", .bool(flags.contains(.irregularPulse))),
      .init("battery_ok", .bool(hasGoodBattery)),
    ]
  }
}

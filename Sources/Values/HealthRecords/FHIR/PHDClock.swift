// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

/// What a device's clock showed when a reading was received, by the guide's profile
/// PhdCoincidentTimeStampObservation.
struct PHDClock {
  private let device: FHIRDevice
  private let time: RecordTime
  private let drift: Double

  /// Nil where the device's clock was not read.
  init?(of device: FHIRDevice, in record: HealthRecord) {
    guard record.time.deviceTime != nil, let drift = record.time.clockDriftSeconds,
      FHIRTime.isPossible(record.time.received),
      FHIRTime.isPossible(record.time.received.addingTimeInterval(drift))
    else { return nil }
    self.device = device
    time = record.time
    self.drift = drift
  }

  /// One for a connection: a device, a drift, and a minute.
  var identity: FHIRIdentity {
    let minute = Int((time.received.timeIntervalSince1970 / 60).rounded(.down))
    return FHIRIdentity(
      type: "Observation", system: "urn:santorio:clock",
      value: "\(device.identity?.value ?? "")/\(Int(drift.rounded()))/\(minute)")
  }

  func write(to json: inout JSONWriter, in context: FHIRContext) {
    let times = FHIRTime(utcOffsetSeconds: time.utcOffsetSeconds)
    let gateway = PHDGateway(context.gateway).identity
    json.object { json in
      json.optional("resourceType", "Observation")
      json.key("meta")
      json.object {
        $0.list("profile", [PHDObservation.canonical("PhdCoincidentTimeStampObservation")]) {
          $0.string($1)
        }
      }
      json.list("identifier", [identity]) { $0.pair("system", $1.system, "value", $1.value) }
      json.optional("status", "final")
      json.key("code")
      FHIRConcept(MetricTable.clock).write(to: &json)
      json.reference("subject", device.reference(in: context))
      json.optional("effectiveDateTime", times.text(time.received))
      json.optional("valueDateTime", times.text(time.received.addingTimeInterval(drift)))
      json.reference("device", .address(gateway.fullURL))
    }
  }
}

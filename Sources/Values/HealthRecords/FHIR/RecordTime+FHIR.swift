// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

// How a time is known, in the systems `urn:santorio:time`.
extension RecordTime {
  /// Which clock the time came from, what the device's showed, and how far it was off.
  ///
  /// By the profile of vital signs a code or a quantity here would have to be one of its units, so
  /// the clock is a text and the drift an integer.
  var fhirComponents: [FHIRComponent] {
    guard origin != .unknown else { return [] }
    let clock = FHIRComponent(
      Self.concept("origin", "Clock of the time: \(originText)"),
      .text(origin.rawValue))
    let shown = deviceTime.map {
      FHIRComponent(
        Self.concept("device-time", "Local time that the device showed"), .text($0.description))
    }
    let drift = clockDriftSeconds.flatMap { Int32(exactly: $0.rounded()) }.map {
      FHIRComponent(
        Self.concept("clock-drift", "Device's clock minus the receiver's, in seconds"), .integer($0)
      )
    }
    return [clock, shown, drift].compactMap(\.self)
  }

  /// How long after the record's start a point of a series was, where no point has a time.
  func fhirOffset(of time: Date) -> FHIRComponent? {
    guard isDeviceTimeDisbelieved else { return nil }
    let seconds = time.secondsSince(start)
    return FHIRComponent(
      Self.concept("offset", "Time since the start of the recording, in seconds"),
      Int32(exactly: seconds).map(FHIRValue.integer) ?? .text(seconds.shortText))
  }

  private static func concept(_ code: String, _ text: String) -> FHIRConcept {
    FHIRConcept([.own("time", code)], text: text)
  }

  private var originText: String {
    switch origin {
    case .device: "Device"
    case .deviceCorrected: "Device, corrected by its drift"
    case .received where isDeviceTimeDisbelieved:
      "None: the device's time cannot be true, and the time of receipt is not that of measurement"
    case .received: "Receiver: the device sent no time"
    case .user: "Entered by a person"
    case .unknown: "Unknown"
    }
  }
}

extension JSONWriter {
  /// Writes that there is no value of a member, and why: a code of the system `data-absent-reason`.
  mutating func absent(_ name: StaticString, _ reason: String) {
    key(name)
    object { json in
      json.list("extension", [reason]) {
        $0.pair(
          "url", "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode", $1)
      }
    }
  }
}

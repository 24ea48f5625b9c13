// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

extension FHIRDevice {
  /// Writes the device by the guide's profile PhdDevice.
  ///
  /// What the device does not say is absent with its reason, since the profile demands it.
  func writePHD(to json: inout JSONWriter) {
    PHDDevice(
      profile: "PhdDevice", type: MetricTable.deviceOfGuide,
      specialization: instrument?.specialization ?? Instrument.other.specialization,
      manufacturer: device.manufacturer?.fhirText, model: device.model?.fhirText,
      serialNumber: device.serialNumber?.fhirText,
      versionType: MetricTable.firmware, version: device.firmwareRevision?.fhirText
    ).write(to: &json, identifier: writeIdentifier)
  }
}

/// The gateway, by the guide's profile PhgDevice.
struct PHDGateway {
  private let gateway: FHIRGateway

  init(_ gateway: FHIRGateway) { self.gateway = gateway }

  var identity: FHIRIdentity {
    FHIRIdentity(
      type: "Device", system: "urn:santorio:gateway",
      value: gateway.identifier.fhirText ?? "gateway")
  }

  func write(to json: inout JSONWriter) {
    let identity = identity
    PHDDevice(
      profile: "PhgDevice", type: MetricTable.gatewayOfGuide,
      specialization: Instrument.other.specialization,
      manufacturer: gateway.manufacturer.fhirText, model: gateway.model.fhirText,
      serialNumber: nil,
      versionType: MetricTable.software, version: gateway.version?.fhirText
    ).write(to: &json) {
      $0.list("identifier", [identity]) { $0.pair("system", $1.system, "value", $1.value) }
    }
  }
}

/// What the guide's two profiles of devices have in common.
private struct PHDDevice {
  let profile: String
  let type: CodedConcept
  let specialization: MetricCode?
  let manufacturer: String?
  let model: String?
  let serialNumber: String?
  let versionType: CodedConcept
  let version: String?

  func write(to json: inout JSONWriter, identifier: (inout JSONWriter) -> Void) {
    json.object { json in
      json.optional("resourceType", "Device")
      json.key("meta")
      json.object { $0.list("profile", [PHDObservation.canonical(profile)]) { $0.string($1) } }
      identifier(&json)
      json.demanded("manufacturer", "_manufacturer", manufacturer)
      json.optional("serialNumber", serialNumber)
      json.demanded("modelNumber", "_modelNumber", model)
      json.key("type")
      FHIRConcept(type).write(to: &json)
      json.list("specialization", [specialization].compactMap { $0.map(FHIRCoding.init) }) {
        json, specialization in
        json.object { json in
          json.key("systemType")
          FHIRConcept([specialization]).write(to: &json)
          // Bluetooth's profiles have no versions of the specialization; the guide's examples say 1.
          json.optional("version", "1")
        }
      }
      writeVersion(to: &json)
    }
  }

  private func writeVersion(to json: inout JSONWriter) {
    json.list("version", [version]) { json, version in
      json.object { json in
        json.key("type")
        FHIRConcept(versionType).write(to: &json)
        json.demanded("value", "_value", version)
      }
    }
  }
}

extension Instrument {
  /// The code of the specialization; of a device without one, that of any device.
  fileprivate var specialization: MetricCode? {
    let rows = InstrumentDefinition.all
    return rows.first { $0.instrument == self }?.code
      ?? rows.first { $0.instrument == .other }?.code
  }
}

extension JSONWriter {
  /// Writes a text, or that it is not known.
  fileprivate mutating func demanded(
    _ name: StaticString, _ extended: StaticString, _ text: String?
  ) {
    guard text == nil else { return optional(name, text) }
    absent(extended, "unknown")
  }
}

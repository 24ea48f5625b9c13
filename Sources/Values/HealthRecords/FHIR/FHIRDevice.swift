// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// The Device resource that an Observation contains.
struct FHIRDevice {
  private let device: SourceDevice
  private let type: FHIRConcept?

  /// Nil when nothing is known about the device.
  init?(_ device: SourceDevice, of record: HealthRecord) {
    guard device != SourceDevice() else { return nil }
    self.device = device
    type = record.source.type == .bluetooth ? Self.type(measuring: record.metrics) : nil
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.optional("resourceType", "Device")
      json.optional("id", "device")
      writeIdentifiers(to: &json)
      json.optional("manufacturer", device.manufacturer?.fhirText)
      json.optional("serialNumber", device.serialNumber?.fhirText)
      json.optional("modelNumber", device.model?.fhirText)
      if let type {
        json.key("type")
        type.write(to: &json)
      }
      writeFirmware(to: &json)
      writeProperties(to: &json)
    }
  }

  private func writeIdentifiers(to json: inout JSONWriter) {
    let identifiers = [
      ("urn:santorio:device", device.id?.fhirText),
      ("urn:santorio:peripheral", device.peripheralID.map(String.init)),
    ].compactMap { system, value in value.map { (system, $0) } }
    guard !identifiers.isEmpty else { return }
    json.list("identifier", identifiers) { $0.pair("system", $1.0, "value", $1.1) }
  }

  private func writeFirmware(to json: inout JSONWriter) {
    guard let revision = device.firmwareRevision?.fhirText else { return }
    json.list("version", [revision]) { json, revision in
      json.object { json in
        json.key("type")
        FHIRConcept([], text: "Firmware").write(to: &json)
        json.optional("value", revision)
      }
    }
  }

  private func writeProperties(to json: inout JSONWriter) {
    let battery = device.batteryPercent.map {
      ("battery", FHIRQuantity(value: Double($0), unit: "%", ucum: "%"))
    }
    let slot = device.userSlot.map {
      ("user_slot", FHIRQuantity(value: Double($0), unit: "", ucum: nil))
    }
    let properties = [battery, slot].compactMap(\.self)
    guard !properties.isEmpty else { return }
    json.list("property", properties) { json, property in
      json.object { json in
        json.key("type")
        FHIRConcept([.own("device", property.0)]).write(to: &json)
        json.list("valueQuantity", [property.1]) { $1.write(to: &$0) }
      }
    }
  }

  /// The specialization of ISO/IEEE 11073-104xx that a device of these metrics has.
  private static func type(measuring metrics: [Metric]) -> FHIRConcept? {
    metrics.lazy.compactMap { types[$0.type] }.first.map { FHIRConcept([.mdc($0.0)], text: $0.1) }
  }

  private static let types: [MetricType: (Int, String)] = [
    .systolic: (528_391, "Blood pressure monitor"), .bloodGlucose: (528_401, "Glucose meter"),
    .bodyTemperature: (528_392, "Thermometer"), .bodyWeight: (528_399, "Weighing scale"),
    .oxygenSaturation: (528_388, "Pulse oximeter"),
  ]
}

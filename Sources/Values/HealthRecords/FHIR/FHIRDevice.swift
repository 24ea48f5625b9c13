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
    type = record.instrument.flatMap(FHIRConcept.init)
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

  /// The device itself; its number in the catalogue is that of the model, and so a property.
  private func writeIdentifiers(to json: inout JSONWriter) {
    guard let id = device.id?.fhirText else { return }
    json.list("identifier", [id]) { $0.pair("system", "urn:santorio:device", "value", $1) }
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
    guard !properties.isEmpty else { return }
    json.list("property", properties) { json, property in
      json.object { json in
        json.key("type")
        FHIRConcept([.own("device", property.name)]).write(to: &json)
        switch property.value {
        case .quantity(let quantity):
          json.list("valueQuantity", [quantity]) { $1.write(to: &$0) }
        case .code(let coding):
          json.list("valueCode", [FHIRConcept([coding])]) { $1.write(to: &$0) }
        }
      }
    }
  }

  private var properties: [Property] {
    let battery = device.batteryPercent.map { percent in
      Property("battery", .quantity(FHIRQuantity(value: Double(percent), unit: "%", ucum: "%")))
    }
    let slot = device.userSlot.map { slot in
      Property("user_slot", .quantity(FHIRQuantity(value: Double(slot), unit: "", ucum: nil)))
    }
    let entry = device.peripheralID.map { number in
      Property("catalogue_entry", .code(.own("peripheral", String(number))))
    }
    return [battery, slot, entry].compactMap(\.self)
  }

  private struct Property {
    let name: String
    let value: Value

    enum Value {
      case quantity(FHIRQuantity)
      case code(FHIRCoding)
    }

    init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }
}

extension FHIRConcept {
  /// What kind of device it is, with its specialization where there is one.
  fileprivate init?(_ instrument: Instrument) {
    guard let row = InstrumentDefinition.all.first(where: { $0.instrument == instrument }) else {
      return nil
    }
    self.init([row.code].compactMap { $0.map(FHIRCoding.init) }, text: row.name)
  }
}

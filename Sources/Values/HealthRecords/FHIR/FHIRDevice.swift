// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// A measuring device, as a Device resource.
///
/// One that has an identity is a resource of its own, which a server has once. Any other is
/// contained in its Observation.
struct FHIRDevice {
  let device: SourceDevice
  let instrument: Instrument?

  /// Nil when nothing is known about the device.
  init?(_ device: SourceDevice, of record: HealthRecord) {
    guard device != SourceDevice() else { return nil }
    self.device = device
    instrument = record.instrument
  }

  /// By what the device is found; nil for one without an identity.
  ///
  /// Serial numbers are unique for a manufacturer only. The number in the catalogue is the model's.
  var identity: FHIRIdentity? {
    guard let id = device.id?.fhirText else { return nil }
    let value = [device.manufacturer?.fhirText, id].compactMap(\.self).joined(separator: "/")
    return FHIRIdentity(type: "Device", system: "urn:santorio:device", value: value)
  }

  /// How an Observation refers to it.
  func reference(in context: FHIRContext) -> FHIRReference {
    guard let identity else { return .address("#device") }
    // The entries of a batch cannot refer to each other.
    guard context.profile == .phd, context.isBundle else {
      return .identity(identity, display: displayName)
    }
    return .address(identity.fullURL)
  }

  private var displayName: String? {
    let names = [device.manufacturer, device.model].compactMap { $0?.fhirText }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }

  func write(to json: inout JSONWriter, in context: FHIRContext) {
    guard context.profile == .standard || identity == nil else { return writePHD(to: &json) }
    json.object { json in
      json.optional("resourceType", "Device")
      if identity == nil { json.optional("id", "device") }
      writeIdentifier(to: &json)
      json.optional("manufacturer", device.manufacturer?.fhirText)
      json.optional("serialNumber", device.serialNumber?.fhirText)
      json.optional("modelNumber", device.model?.fhirText)
      if let type = instrument.flatMap(FHIRConcept.init) {
        json.key("type")
        type.write(to: &json)
      }
      writeFirmware(to: &json)
      writeProperties(to: &json)
    }
  }

  func writeIdentifier(to json: inout JSONWriter) {
    guard let identity else { return }
    json.list("identifier", [identity]) { $0.pair("system", $1.system, "value", $1.value) }
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
    guard let number = device.peripheralID else { return }
    json.list("property", [FHIRCoding.own("peripheral", String(number))]) { json, coding in
      json.object { json in
        json.key("type")
        FHIRConcept([.own("device", "catalogue_entry")]).write(to: &json)
        json.list("valueCode", [FHIRConcept([coding])]) { $1.write(to: &$0) }
      }
    }
  }

  /// What is of one reading: the charge of the battery, and the user's slot.
  var components: [FHIRComponent] {
    let facts = [
      ("battery", "Charge of the battery, in per cent", device.batteryPercent),
      ("user_slot", "User of the device", device.userSlot),
    ]
    return facts.compactMap { name, text, number in
      number.flatMap(Int32.init(exactly:)).map {
        FHIRComponent(FHIRConcept([.own("device", name)], text: text), .integer($0))
      }
    }
  }

}

extension FHIRConcept {
  /// What kind of device it is, with its specialization where there is one.
  init?(_ instrument: Instrument) {
    guard let row = InstrumentDefinition.all.first(where: { $0.instrument == instrument }) else {
      return nil
    }
    self.init([row.code].compactMap { $0.map(FHIRCoding.init) }, text: row.name)
  }
}

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

  /// The System ID; nil for a text of another form.
  var systemID: String? {
    guard let text = device.systemID else { return nil }
    let bytes = text.split(separator: "-", omittingEmptySubsequences: false)
    let isEUI64 =
      bytes.count == 8
      && bytes.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(Self.digits.contains) }
    return isEUI64 ? text : nil
  }

  private static let digits = Set("0123456789ABCDEF".utf8)

  /// Writes our identifier, and the System ID as HL7's guide for personal health devices does.
  func writeIdentifier(to json: inout JSONWriter) {
    var all: [(system: String, value: String, type: FHIRCoding?)] = []
    if let identity { all.append((identity.system, identity.value, nil)) }
    if let systemID { all.append((Self.systemOfSystemIDs, systemID, Self.typeOfSystemIDs)) }
    guard !all.isEmpty else { return }
    json.list("identifier", all) { json, identifier in
      json.object { json in
        if let type = identifier.type {
          json.key("type")
          FHIRConcept([type]).write(to: &json)
        }
        json.optional("system", identifier.system)
        json.optional("value", identifier.value)
      }
    }
  }

  private static let systemOfSystemIDs = "urn:oid:1.2.840.10004.1.1.1.0.0.1.0.0.1.2680"
  private static let typeOfSystemIDs = FHIRCoding.terminology(
    "ContinuaDeviceIdentifiers", "SYSID")

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

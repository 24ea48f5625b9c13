// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

extension RecordSource {
  init(_ json: JSONReader) throws(RecordError) {
    var devices: [String: SourceDevice] = [:]
    for member in try json.optional("devices")?.members() ?? [] {
      devices[member.name] = try SourceDevice(member.value)
    }
    self.init(
      type: SourceType(rawValue: try json.member("type").string()),
      device: try json.optional("device", SourceDevice.init), devices: devices)
  }

  func writeInform(to json: inout JSONWriter) {
    json.key("source")
    json.object { json in
      json.optional("type", type.rawValue)
      if let device {
        json.key("device")
        device.writeInform(to: &json)
      } else if devices.isEmpty {
        json.key("device")
        json.null()
      }
      if !devices.isEmpty {
        json.key("devices")
        writeDevices(to: &json)
      }
    }
  }

  /// Writes the object of devices.
  func writeDevices(to json: inout JSONWriter) {
    json.object { json in
      for (id, device) in devices.sorted(by: { $0.key < $1.key }) {
        json.key(text: id)
        device.writeInform(to: &json)
      }
    }
  }
}

extension SourceDevice {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    func number(_ name: String) throws(RecordError) -> Int? { try json.optional(name)?.integer() }
    self.init(
      id: try json.optionalString("id"), manufacturer: try json.optionalString("manufacturer"),
      model: try json.optionalString("model"),
      serialNumber: try json.optionalString("serial_number"),
      systemID: try json.optionalString("system_id"),
      firmwareRevision: try json.optionalString("firmware_revision"),
      batteryPercent: try number("battery"), peripheralID: try number("peripheral_id"),
      userSlot: try number("user_slot"))
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("id", id)
      json.optional("manufacturer", manufacturer)
      json.optional("model", model)
      json.optional("serial_number", serialNumber)
      json.optional("system_id", systemID)
      json.optional("firmware_revision", firmwareRevision)
      json.optional("battery", batteryPercent)
      json.optional("peripheral_id", peripheralID)
      json.optional("user_slot", userSlot)
    }
  }
}

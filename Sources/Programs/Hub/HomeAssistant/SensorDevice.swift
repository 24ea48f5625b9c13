// SPDX-License-Identifier: Apache-2.0

package import HealthRecords
import SantorioCryptography
import SantorioJSON

/// A device of a patient, as Home Assistant shows it.
package struct SensorDevice: Hashable, Sendable {
  /// The name in the hub's configuration, by which the patient's devices differ.
  package var name: String
  /// The manufacturer's name.
  package var manufacturer: String?
  /// The model's name or number.
  package var model: String?
  /// The revision of the firmware.
  package var firmwareRevision: String?

  /// Makes a device.
  package init(
    name: String, manufacturer: String? = nil, model: String? = nil,
    firmwareRevision: String? = nil
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.firmwareRevision = firmwareRevision
  }

  /// Makes a device of what a record says of it.
  ///
  /// - Parameters:
  ///   - name: The name; nil for one of the model and a digest of the device's identity, which
  ///     does not give away the serial number.
  ///   - source: The record's source.
  package init(name: String? = nil, _ source: RecordSource) {
    let device = source.device ?? source.devices.sorted { $0.key < $1.key }.first?.value
    let identity = device.flatMap { $0.id ?? $0.serialNumber ?? $0.systemID }
    let digest = identity.map { " " + SHA256Digest.hex(Array($0.utf8)).prefix(8) } ?? ""
    self.init(
      name: name ?? (device?.model ?? source.type.rawValue) + digest,
      manufacturer: device?.manufacturer, model: device?.model,
      firmwareRevision: device?.firmwareRevision)
  }
}

/// What Home Assistant is told of a value of a device (MQTT discovery).
struct DiscoveryConfig {
  let object: SensorObject
  let device: SensorDevice
  let patient: String
  /// The unit as records have it.
  let unit: String
  let topics: HomeAssistantTopics
  /// After how many seconds a value is not the present one any more.
  let expiry: Int

  /// The message's topic.
  var topic: String { topics.discovery(object, device.name, patient: patient) }

  /// The message's content, always the same for the same sensor.
  var payload: [UInt8] {
    let node = topics.node(device.name, patient)
    let state = topics.state(object, device.name, patient: patient)
    var json = JSONWriter(capacity: 1024)
    json.object { json in
      json.optional("name", object.name)
      json.optional("unique_id", "\(node)--\(object.id)")
      json.optional("state_topic", state)
      json.optional("value_template", "{{ value_json.value }}")
      json.optional("json_attributes_topic", state)
      json.optional("device_class", object.deviceClass(unit: unit))
      json.optional("state_class", object.stateClass)
      json.optional("unit_of_measurement", SensorObject.unit(unit))
      if object.expires { json.optional("expire_after", expiry) }
      let availability = [
        topics.hubAvailability, topics.availability(device.name, patient: patient),
      ]
      json.list("availability", availability) { json, topic in
        json.object { $0.optional("topic", topic) }
      }
      json.optional("availability_mode", "all")
      json.key("device")
      writeDevice(node, to: &json)
      json.key("origin")
      json.object { $0.optional("name", "Santorio") }
    }
    return json.bytes
  }

  private func writeDevice(_ node: String, to json: inout JSONWriter) {
    json.object { json in
      json.list("identifiers", [node]) { json, node in json.string(node) }
      json.optional("name", "\(device.name) (\(patient))")
      json.optional("manufacturer", device.manufacturer)
      json.optional("model", device.model)
      json.optional("sw_version", device.firmwareRevision)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioCore
import SantorioJSON
import Testing

@testable import Hub

@Suite struct `Reading a hub's configuration` {
  private typealias Text = ConfigurationText

  private static var documentation: URL {
    URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../Documentation")
      .standardizedFileURL
  }

  private func device(_ identifier: String, model: Int? = nil, slot: Int? = nil) -> String {
    let members =
      ["\"device\": \"\(identifier)\""]
      + [model.map { "\"model\": \($0)" }, slot.map { "\"slot\": \($0)" }].compactMap(\.self)
    return "{\(members.joined(separator: ", "))}"
  }

  /// Two patients with these devices.
  private func shared(_ one: String, _ other: String) throws -> ConfigurationText {
    try Text().with("patients[0].devices", "[\(one)]").with("patients[1].devices", "[\(other)]")
  }

  // MARK: - The documentation

  private func example() throws -> HubConfiguration {
    let text = try Data(contentsOf: Self.documentation.appendingPathComponent("hub.example.json"))
    let reading = HubConfiguration.read(text)
    #expect(reading.findings == [])
    return try #require(reading.configuration)
  }

  @Test func `reads the documentation's example without a finding`() throws {
    let configuration = try example()

    #expect(configuration.name == "ward-7")
    #expect(configuration.radio == .bluez(adapter: "hci0"))
    #expect(configuration.server?.address == URL(string: "https://readings.example.org"))
    #expect(configuration.server?.authorities == "/etc/santorio/authority.pem")
    #expect(configuration.queueKey == .credential("santorio.outbox-key"))
    #expect(configuration.patients.map(\.alias) == ["bed-1", "bed-2"])
    #expect(configuration.patients[1].account?.token == .file("/etc/santorio/bed-2.token"))
    #expect(configuration.patients[0].devices.map(\.model) == [Text.beurer, Text.aoj])
    #expect(configuration.patients[1].devices[1].bindKey == .credential("bed-2.scale-key"))
    #expect(configuration.metrics?.listen == HubConfiguration.Metrics.address)
    #expect(configuration.control.users == [1000: .operate, 1001: .assign, 1002: .look])
    #expect(configuration.mqtt?.port == 8883 && configuration.mqtt?.isSecure == true)
    #expect(configuration.mqtt?.discovery == "homeassistant")
    #expect(
      configuration.folder(of: configuration.patients[1]).path == "/var/lib/santorio/hub/bed-2")
    let monitor = try #require(UUID(uuidString: Text.monitor))
    #expect(configuration.owners(of: monitor).map(\.patient.alias) == ["bed-1", "bed-2"])
    #expect(configuration.owners(of: monitor).map(\.device.slot) == [1, 2])
  }

  @Test func `sends where the example says`() throws {
    let configuration = try example()

    let destination = configuration.destination(for: configuration.patients[0])

    #expect(destination is IngestAPI)
    #expect(destination?.endpoint.host == "readings.example.org")
    _ = try configuration.transport()
  }

  /// The members that the schema allows where the reader does.
  @Test func `takes the members that the published schema has`() throws {
    let text = try Data(contentsOf: Self.documentation.appendingPathComponent("hub.schema.json"))
    let schema = try JSONParser.parse(text)
    func members(_ place: String...) -> Set<String> {
      let object = place.reduce(schema) { $0[$1] ?? .null }
      guard case .object(let members)? = object["properties"] else { return [] }
      return Set(members.map(\.name))
    }

    #expect(members() == Set(Members.file))
    #expect(members("$defs", "patient") == Set(Members.patient))
    #expect(members("$defs", "device") == Set(Members.device))
    #expect(members("$defs", "secret") == Set(Members.secret))
    #expect(members("properties", "allow") == Set(Members.allow))
    #expect(members("properties", "metrics") == Set(Members.metrics))
    #expect(members("properties", "control") == Set(Members.control))
    #expect(members("properties", "mqtt") == Set(Members.mqtt))
  }

  // MARK: - Findings

  @Test func `takes what a small file leaves out from the defaults`() throws {
    let reading = HubConfiguration.read(
      Array(#"{"name": "home", "folder": "/srv/santorio/", "patients": [{"alias": "me"}]}"#.utf8))

    let configuration = try #require(reading.configuration)
    #expect(reading.findings == [])
    #expect(configuration.folder == "/srv/santorio")
    #expect(configuration.radio == .bluez(adapter: nil))
    #expect(configuration.server == nil && configuration.metrics == nil)
    #expect(configuration.mqtt == nil && configuration.queueKey == nil)
    #expect(configuration.control == .init(socket: "/run/santorio/hub.sock", users: [:]))
    #expect(configuration.allow == .init())
    #expect(configuration.patients.first?.folder == "me")
    #expect(configuration.destination(for: configuration.patients[0]) == nil)
  }

  @Test func `reports all that is wrong at once`() throws {
    let text = try Text().with("folder", "\"relative\"").with("radio", "\"usb\"")
      .with("patients[0].alias", "7").with("patients[1].user", "\"a/b\"").with("nmae", "1")

    #expect(
      text.reading.findings.map(\.path)
        == ["", "folder", "radio", "patients[0].alias", "patients[1].user"])
    #expect(text.reading.configuration == nil)
  }

  @Test(arguments: [
    ("{", "error: line 1, column 2 is not JSON: expected a name in quotes"),
    (
      "{\n  \"name\": \"a\",\n  \"name\": 1}",
      "error: line 3, column 3 is not JSON: this name is in the object twice"
    ), ("[]", "error: expected an object, found array"),
  ])
  func `says where a file is not JSON`(_ text: String, _ line: String) {
    #expect(HubConfiguration.read(text.utf8).findings.map(\.description) == [line])
  }

  /// One wrong member, and the finding that it makes.
  @Test(arguments: [
    ("name", nil, "error: name: this member is required"),
    ("name", "\"two words\"", "error: name: use 1 to 64 of the characters"),
    ("name", "true", "error: name: expected a string, found boolean"),
    ("folder", nil, "error: folder: this member is required"),
    ("folder", "\"data\"", "error: folder: \"data\" is relative; write the whole path"),
    ("folder", "\"/var/../etc\"", "error: folder: write the path without"),
    ("folder", "\"/\"", "error: folder: choose a folder of the hub's own"),
    ("patients", nil, "error: patients: this member is required"),
    ("patients", "{}", "error: patients: expected an array, found object"),
    ("patients", "[]", "warning: patients: there are none"),
    ("patient", "[]", "error: the member \"patient\" is unknown; did you mean \"patients\"?"),
    ("patients[0].tokne", "1", "error: patients[0]: the member \"tokne\" is unknown; did you mean"),
    ("radio", "\"bluez:usb0\"", "error: radio: expected bluez, bluez:hci1"),
    ("clock", "\"right\"", "error: clock: expected corrected or shown, found \"right\""),
    ("server", "\"example.org\"", "error: server: expected an address like https://"),
    ("server", "\"https://me:secret@example.org\"", "error: server: expected an address like"),
    ("server", "\"http://example.org\"", "error: server: this is plain HTTP to another machine"),
    ("insecure", "true", "warning: insecure: the server needs no such permission"),
    ("to", "\"fihr\"", "error: to: expected ingest, inform, legacy or fhir, found \"fihr\""),
    ("fhir_profile", "\"phd\"", "error: fhir_profile: this requires \"to\": \"fhir\""),
    ("gateway", "\"g\"", "error: gateway: this requires \"fhir_profile\": \"phd\""),
    ("performer", "\"Practitioner/1\"", "error: performer: this requires \"fhir_profile\":"),
    ("pin", "[\"sha256/x\"]", "error: pin: expected the SHA-256 of two keys"),
    ("pin", "[1]", "error: pin[0]: expected a string, found number"),
    ("ca", "\"ca.pem\"", "error: ca: \"ca.pem\" is relative"),
    ("refusal_grace", "1.5", "error: refusal_grace: expected a whole number from 0 to 86400"),
    ("metrics", "{\"listen\": \"0.0.0.0\"}", "error: metrics.listen: other machines could reach"),
    (
      "metrics", "{\"listen\": \"127.0.0.1\"}",
      "warning: metrics.listen: every user of this machine can read"
    ),
    (
      "metrics", "{\"listen\": \"here\"}", "error: metrics.listen: \"here\" is not a listen"
    ),
    ("control", "{\"socket\": \"hub.sock\"}", "error: control.socket: \"hub.sock\" is relative"),
    ("control", "{\"uids\": [-1]}", "error: control.uids[0]: expected a whole number from 0"),
    ("allow", "{\"enrolment\": 1}", "error: allow.enrolment: expected true or false, found number"),
    ("allow", "{\"unknown_devices\": \"no\"}", "error: allow.unknown_devices: expected offer or"),
    (
      "mqtt", "{\"server\": \"mqtts://b.org\", \"expires_after\": 0}",
      "error: mqtt.expires_after: expected a whole number from 1 to 8760"
    ),
    ("mqtt", "{}", "error: mqtt.server: this member is required"),
    ("mqtt", "{\"server\": \"broker\"}", "error: mqtt.server: expected an address like mqtts://"),
    ("mqtt", "{\"server\": \"mqtt://b.org\"}", "error: mqtt.server: this is plain MQTT to another"),
    (
      "mqtt", "{\"server\": \"mqtts://b.org\", \"topic\": \"a/#\"}",
      "error: mqtt.topic: expected the beginning of a topic"
    ),
    (
      "mqtt", "{\"server\": \"mqtts://b.org\", \"password\": {\"credential\": \"p\"}}",
      "error: mqtt.password: this requires \"user\""
    ),
  ])
  func `explains a wrong member`(_ place: String, _ value: String?, _ line: String) throws {
    let lines = try Text().with(place, value).lines

    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(line) == true, "\(lines)")
  }

  @Test(arguments: [
    ("patients[1].alias", nil, "error: patients[1].alias: this member is required"),
    ("patients[1].alias", "\".hidden\"", "error: patients[1].alias: begin it with a letter"),
    ("patients[1].alias", "\"bed-1\"", "error: patients[1].alias: patients[0] has this alias, too"),
    (
      "patients[1].folder", "\"bed-1\"",
      "error: patients[1].folder: patients[0] has this folder, too"
    ),
    ("patients[1].user", "\"u-bed-1\"", "error: patients[1].user: patients[0] is the same user"),
    ("patients[1].user", nil, "error: patients[1].user: this member is required"),
    ("patients[1].organization", "\"a b\"", "error: patients[1].organization: use 1 to 128"),
    (
      "patients[1].token", "{\"credential\": \"bed-1.token\"}",
      "error: patients[1].token: patients[0] has this token, too"
    ), ("patients[1].token", "{}", "error: patients[1].token: name either a \"credential\" or"),
    (
      "patients[1].token", "{\"file\": \"/a\", \"credential\": \"b\"}",
      "error: patients[1].token: name either a \"credential\" or a \"file\""
    ),
    (
      "patients[1].token", "{\"file\": \"token\"}",
      "error: patients[1].token.file: \"token\" is relative"
    ), ("patients[1].subject", "\"Patient/1\"", "error: patients[1].subject: this requires \"to\""),
    (
      "patients[1].devices", "[{}]",
      "error: patients[1].devices[0].device: this member is required"
    ),
    (
      "patients[1].devices", "[{\"device\": \"UA-651BLE\"}]",
      "error: patients[1].devices[0].device: \"UA-651BLE\" is not the identifier of a device"
    ),
  ])
  func `explains what is wrong of a patient`(
    _ place: String, _ value: String?, _ line: String
  ) throws {
    let lines = try Text().with(place, value).lines

    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(line) == true, "\(lines)")
  }

  @Test func `refuses the placeholder for a user`() throws {
    let text = try Text().with("patients[0].user", "\"default\"")
      .with("patients[0].organization", "\"default\"")

    #expect(text.reading.findings.map(\.path) == ["patients[0].user"])
  }

  @Test func `refuses a secret in the file and does not repeat it`() throws {
    let text = try Text().with("patients[0].token", "\"5b71-very-secret\"")
      .with("queue_key", "[\"5b71-very-secret\"]")

    #expect(text.reading.findings.map(\.path) == ["queue_key", "patients[0].token"])
    #expect(text.lines.allSatisfy { $0.contains("systemd-creds encrypt") })
    #expect(!text.lines.joined().contains("5b71"))
  }

  @Test func `does not repeat a password in an address`() throws {
    let text = try Text().with("server", "\"https://u:5b71-secret@example.org\"")
      .with("mqtt", "{\"server\": \"mqtts://u:5b71-secret@example.org\"}")

    #expect(text.reading.findings.map(\.path) == ["server", "mqtt.server"])
    #expect(!text.lines.joined().contains("5b71"))
  }

  @Test func `wants a server for whatever needs one`() throws {
    let text = try Text().with("server", nil).with("to", "\"ingest\"")
      .with("patients[1].user", nil).with("patients[1].organization", nil)
      .with("patients[1].token", nil)

    #expect(
      text.reading.findings.map(\.path)
        == ["to", "patients[0].user", "patients[0].organization", "patients[0].token"])
    #expect(text.lines.allSatisfy { $0.hasSuffix("this requires \"server\"") })
  }

  @Test func `allows plain HTTP to this machine, and to another one when told so`() throws {
    #expect(try Text().with("server", "\"http://127.0.0.1:8080\"").lines == [])
    let open = try Text().with("server", "\"http://example.org\"").with("insecure", "true")
    #expect(open.reading.configuration?.server?.allowsPlainHTTP == true)
    #expect(open.reading.findings.map(\.severity) == [.warning])
    #expect(
      try Text().with("mqtt", "{\"server\": \"mqtt://localhost\"}").reading.configuration?.mqtt?
        .port == 1883)
  }

  // MARK: - Devices

  @Test(arguments: [
    ("999999", "error: patients[0].devices[0].model: the catalogue has no number 999999"),
    ("\"Nokia 3310\"", "error: patients[0].devices[0].model: the catalogue has no model"),
    ("16", "error: patients[0].devices[0].model: Remedy 72-HB151 cannot be read."),
    ("[]", "error: patients[0].devices[0].model: expected a number or a model's name"),
  ])
  func `knows the models of the catalogue only`(_ model: String, _ line: String) throws {
    let device = "[{\"device\": \"\(Text.monitor)\", \"model\": \(model)}]"
    let lines = try Text().with("patients[0].devices", device).lines

    #expect(lines.count == 1 && lines[0].hasPrefix(line), "\(lines)")
  }

  @Test func `takes a model by its number, model or name`() throws {
    let entry = try #require(DeviceModel(id: Text.beurer))
    for model in ["\(entry.id)", "\"\(entry.model.uppercased())\"", "\"\(entry.name)\""] {
      let device = "[{\"device\": \"\(Text.monitor)\", \"model\": \(model)}]"
      let configuration = try Text().with("patients[0].devices", device).reading.configuration
      #expect(configuration?.patients[0].devices.map(\.model) == [entry.id])
    }
  }

  @Test func `warns of a slot on a device that does not tell people apart`() throws {
    let text = try Text().with(
      "patients[0].devices", "[\(device(Text.thermometer, model: Text.aoj, slot: 1))]")

    #expect(text.reading.findings.map(\.severity) == [.warning])
    #expect(text.lines[0].contains("patients[0].devices[0].slot: AOJ AOJ-20A does not tell"))
    #expect(text.reading.configuration != nil)
  }

  @Test func `warns of a device that encrypts what it sends and has no key`() throws {
    let scale = device(Text.thermometer, model: 10502)
    let text = try Text().with("patients[0].devices", "[\(scale)]")

    #expect(
      text.lines == [
        "warning: patients[0].devices[0].bind_key: Xiaomi Body Composition Scale S400 encrypts "
          + "what it sends: it is not read before its key is given here"
      ])
    #expect(text.reading.configuration != nil)
    let keyed = scale.dropLast() + ", \"bind_key\": {\"credential\": \"scale-key\"}}"
    #expect(try Text().with("patients[0].devices", "[\(keyed)]").reading.findings == [])
  }

  @Test func `refuses a slot that a device does not show`() throws {
    let text = try Text().with(
      "patients[0].devices", "[\(device(Text.monitor, model: Text.beurer, slot: 0))]")

    #expect(text.reading.findings.map(\.path) == ["patients[0].devices[0].slot"])
    #expect(text.reading.hasErrors)
  }

  @Test func `wants a slot of each patient of one device`() throws {
    let both = try shared(device(Text.monitor), device(Text.monitor))
    #expect(
      both.reading.findings.map(\.path)
        == ["patients[0].devices[0].slot", "patients[1].devices[0].slot"])

    let one = try shared(device(Text.monitor, slot: 1), device(Text.monitor))
    #expect(
      one.lines == [
        "error: patients[1].devices[0].slot: this member is required, since patients[0].devices[0] "
          + "is the same device: the number that it shows for this patient"
      ])
  }

  @Test func `gives two patients of one device different slots`() throws {
    let same = try shared(
      device(Text.monitor, model: Text.beurer, slot: 2), device(Text.monitor, slot: 2))
    #expect(
      same.lines == [
        "error: patients[1].devices[0].slot: patients[0].devices[0] has the same slot of the same "
          + "device; each patient has its own"
      ])

    let different = try shared(
      device(Text.monitor, model: Text.beurer, slot: 1),
      device(Text.monitor.lowercased(), model: Text.beurer, slot: 2))
    #expect(different.lines == [])
  }

  @Test func `gives a device that does not tell people apart to one patient only`() throws {
    let text = try shared(
      device(Text.thermometer, model: Text.aoj, slot: 1), device(Text.thermometer, slot: 2))

    let errors = text.reading.findings.filter { $0.severity == .error }
    #expect(errors.map(\.path) == ["patients[1].devices[0].device"])
  }

  @Test func `finds what two patients say differently of one device`() throws {
    let key = { (name: String) in
      "{\"device\": \"\(Text.monitor)\", \"slot\": \(name == "a" ? 1 : 2), "
        + "\"model\": \(name == "a" ? 10100 : 10101), \"bind_key\": {\"credential\": \"\(name)\"}}"
    }

    #expect(
      try shared(key("a"), key("b")).reading.findings.map(\.path)
        == ["patients[1].devices[0].model", "patients[1].devices[0].bind_key"])
  }

  @Test func `finds a device that one patient has twice`() throws {
    let two = "[\(device(Text.monitor, slot: 1)), \(device(Text.monitor, slot: 2))]"

    #expect(
      try Text().with("patients[0].devices", two).reading.findings.map(\.path)
        == ["patients[0].devices[1].device"])
  }
}

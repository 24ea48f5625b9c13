// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioJSON

/// What reading a configuration has resulted in.
package struct HubConfigurationReading: Hashable, Sendable {
  /// The configuration; nil when there are errors.
  package let configuration: HubConfiguration?
  /// All errors and warnings.
  package internal(set) var findings: [HubFinding]

  /// Whether there is an error.
  package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}

extension HubConfiguration {
  /// The most bytes that a file may have.
  package static let maximumBytes = 4 << 20
  /// Three days: a scale may be stepped on every other morning.
  static let usualSilence = 72
  static let maximumPatients = 1000
  static let maximumDevices = 64
  static let longestCode = 80

  /// Reads a configuration from the text of its file; nothing else of the machine is looked at.
  ///
  /// - Parameter text: The content of the file.
  /// - Returns: The configuration or the errors, all of them.
  package static func read(_ text: some Collection<UInt8>) -> HubConfigurationReading {
    let findings = FindingCollector()
    guard let value = parse(Array(text), findings),
      let file = ConfigurationObject(value, at: "", known: Members.file, findings)
    else { return HubConfigurationReading(configuration: nil, findings: findings.all) }
    let configuration = read(file)
    return HubConfigurationReading(
      configuration: findings.hasErrors ? nil : configuration, findings: findings.all)
  }

  private static func parse(_ bytes: [UInt8], _ findings: FindingCollector) -> JSONValue? {
    guard bytes.count <= maximumBytes else {
      findings.error("", "the file has more than \(maximumBytes) bytes, so it is another file")
      return nil
    }
    do throws(JSONError) {
      return try JSONParser.parse(bytes)
    } catch {
      let before = bytes.prefix(error.offset)
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
      findings.error("", "line \(line), column \(column) is not JSON: \(error.message)")
      return nil
    }
  }

  private static func read(_ file: ConfigurationObject) -> HubConfiguration? {
    let name = file.identifier("name", atMost: 64)
    if file.value("name") == nil {
      file.missing("name", "what monitoring calls this hub, such as \"ward-7\"")
    }
    let folder = file.absolutePath("folder")
    if file.value("folder") == nil { file.missing("folder", "where the hub keeps everything") }
    if folder == "/" { file.error("folder", "choose a folder of the hub's own") }
    let radio = Radio(file)
    let clock = file.choice("clock", of: Clock.self) ?? .corrected
    let silentAfter = file.integer("silent_after", in: 1...8760) ?? Self.usualSilence
    let server = Server(file)
    let queueKey = file.secret("queue_key")
    if file.value("patients") == nil { file.missing("patients", "[] for a hub without any yet") }
    let patients = Patient.all(file)
    let allow = Allowance(file)
    let metrics = Metrics(file)
    let control = Control(file)
    let mqtt = Broker(file)
    guard let name, let folder, let radio, let control else { return nil }
    return HubConfiguration(
      name: name, folder: folder, radio: radio, clock: clock, silentAfter: silentAfter,
      server: server,
      queueKey: queueKey, patients: patients, allow: allow, metrics: metrics, control: control,
      mqtt: mqtt)
  }
}

// MARK: - Parts

extension HubConfiguration.Radio {
  fileprivate init?(_ file: ConfigurationObject) {
    guard let text = file.string("radio") else {
      self = .bluez(adapter: nil)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.dropFirst().first.map(String.init)) {
    case ("bluez", nil): self = .bluez(adapter: nil)
    case ("bluez", .some(let adapter)) where Self.isAdapter(adapter):
      self = .bluez(adapter: adapter.hasPrefix("hci") ? adapter : adapter.uppercased())
    case ("simulated", nil): self = .simulated(speed: 1)
    case ("simulated", .some(let speed)):
      guard let speed = Double(speed), (0.1...1000).contains(speed) else { fallthrough }
      self = .simulated(speed: speed)
    default:
      file.error(
        "radio",
        "expected bluez, bluez:hci1, bluez:00:1A:7D:DA:71:13 (an adapter's address) or simulated, "
          + "found \"\(text.shown)\"")
      return nil
    }
  }

  private static func isAdapter(_ text: String) -> Bool {
    text.wholeMatch(of: /hci[0-9]{1,3}/) != nil
      || text.wholeMatch(of: /([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/) != nil
  }
}

extension HubConfiguration.Allowance {
  fileprivate init(_ file: ConfigurationObject) {
    self.init()
    guard let allow = file.object("allow", known: Members.allow) else { return }
    enrolment = allow.bool("enrolment") ?? enrolment
    unknownDevices =
      allow.choice("unknown_devices", of: HubConfiguration.UnknownDevices.self) ?? unknownDevices
  }
}

extension HubConfiguration.Control {
  fileprivate init?(_ file: ConfigurationObject) {
    guard file.value("control") != nil else {
      self.init(socket: Self.socket, users: [:])
      return
    }
    guard let control = file.object("control", known: Members.control) else { return nil }
    let socket = control.value("socket") == nil ? Self.socket : control.absolutePath("socket")
    var users: [UInt32: HubRole] = [:]
    for role in HubRole.allCases {
      for user in control.integers(role.member, in: 0...Int(UInt32.max - 1)) {
        users[UInt32(user)] = role
      }
    }
    guard let socket else { return nil }
    self.init(socket: socket, users: users)
  }
}

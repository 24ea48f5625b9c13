// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import IngestServer
import SantorioCore

// What the file says of other programs: the server, the monitoring, the broker.

extension HubConfiguration.Server {
  /// The server of the file; nil without one, and for one that is wrong.
  init?(_ file: ConfigurationObject) {
    for name in Members.server where name != "server" && file.value(name) != nil {
      if file.value("server") == nil { file.error(name, "this requires \"server\"") }
    }
    let allowsPlainHTTP = file.bool("insecure") ?? false
    let address = Self.address(file, allowsPlainHTTP: allowsPlainHTTP)
    let form = file.choice("to", of: HubConfiguration.ServerForm.self) ?? .ingest
    let profile = file.choice("fhir_profile", of: FHIRProfile.self) ?? .standard
    Self.checkFHIR(file, form, profile)
    let authorities = file.absolutePath("ca")
    let pins = Self.pins(file)
    let refusalGrace = file.integer("refusal_grace", in: 0...86_400)
    let (gateway, performer) = (file.string("gateway"), file.reference("performer"))
    guard let address else { return nil }
    self.init(
      address: address, form: form, authorities: authorities, pins: pins,
      allowsPlainHTTP: allowsPlainHTTP, refusalGrace: refusalGrace, profile: profile,
      gateway: gateway, performer: performer)
  }

  private static func address(_ file: ConfigurationObject, allowsPlainHTTP: Bool) -> URL? {
    guard let text = file.string("server") else { return nil }
    guard let server = URL(string: text), ["http", "https"].contains(server.scheme?.lowercased()),
      server.host?.isEmpty == false, server.query == nil, server.fragment == nil,
      server.user == nil, server.password == nil
    else {
      // Without the text: a password may be part of it.
      file.error(
        "server",
        "expected an address like https://readings.example.org, without a name, password, ?query or "
          + "#fragment")
      return nil
    }
    guard server.isExposed else {
      if allowsPlainHTTP { file.warning("insecure", "the server needs no such permission") }
      return server
    }
    let danger = "this is plain HTTP to another machine: anyone on the network path could read"
    if allowsPlainHTTP {
      file.warning("server", "\(danger) the tokens and all readings")
    } else {
      file.error(
        "server", "\(danger) the tokens and all readings; use https, or say \"insecure\": true")
    }
    return server
  }

  private static func checkFHIR(
    _ file: ConfigurationObject, _ form: HubConfiguration.ServerForm, _ profile: FHIRProfile
  ) {
    let isFHIR = form == .fhir
    for (name, fits, needed) in [
      ("fhir_profile", isFHIR, "\"to\": \"fhir\""),
      ("gateway", isFHIR && profile == .phd, "\"fhir_profile\": \"phd\""),
      ("performer", isFHIR && profile == .ehr, "\"fhir_profile\": \"ehr\""),
    ] where file.value(name) != nil && !fits {
      file.error(name, "this requires \(needed)")
    }
  }

  private static func pins(_ file: ConfigurationObject) -> [String] {
    let texts = file.strings("pin")
    guard !texts.isEmpty else { return [] }
    let prefix = "sha256/"
    let pins = texts.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : "" }
    do throws(TransportError) {
      return try PinnedKeys(pins).pins
    } catch {
      file.error(
        "pin", "expected the SHA-256 of two keys, each as sha256/BASE64: \(error.message)")
      return []
    }
  }
}

extension ConfigurationObject {
  /// A reference of FHIR: a type and an identifier, or an address that ends so.
  func reference(_ name: String) -> String? {
    guard let text = string(name) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      parts.count == 2, parts.allSatisfy({ !$0.isEmpty })
    else {
      error(name, "expected a reference such as Patient/123")
      return nil
    }
    return text
  }
}

// MARK: - Monitoring

extension HubConfiguration.Metrics {
  /// Where metrics are served; nil for nowhere.
  init?(_ file: ConfigurationObject) {
    guard let metrics = file.object("metrics", known: Members.metrics) else { return nil }
    let allowsOthers = metrics.bool("insecure") ?? false
    let text = metrics.value("listen") == nil ? Self.address : metrics.string("listen")
    guard let text else { return nil }
    do throws(IngestError) {
      let address = try ListenAddress(text)
      if !address.isLocal, !allowsOthers {
        metrics.error(
          "listen",
          "other machines could reach this without TLS; listen on 127.0.0.1 or ::1, or say "
            + "\"insecure\": true")
      } else if !address.isLocal {
        metrics.warning("listen", "other machines can read the hub's metrics, without TLS")
      } else if address.isInternet {
        metrics.warning(
          "listen",
          "every user of this machine can read the hub's metrics, with aliases, devices and times; "
            + "\(Self.address) is for the hub's group only")
      }
    } catch {
      metrics.error("listen", error.message)
      return nil
    }
    self.init(listen: text)
  }
}

// MARK: - MQTT

extension HubConfiguration.Broker {
  /// The broker of the file; nil without one, and for one that is wrong.
  init?(_ file: ConfigurationObject) {
    guard let mqtt = file.object("mqtt", known: Members.mqtt) else { return nil }
    let allowsPlain = mqtt.bool("insecure") ?? false
    let server = Self.server(mqtt, allowsPlain: allowsPlain)
    let authorities = mqtt.absolutePath("ca")
    let (user, password) = (mqtt.string("user"), mqtt.secret("password"))
    if user == nil, mqtt.value("password") != nil {
      mqtt.error("password", "this requires \"user\"")
    }
    let topic = mqtt.topic("topic")
    let discovery = mqtt.topic("discovery")
    let expiresAfter = mqtt.integer("expires_after", in: 1...8760) ?? Self.expiresAfter
    guard let server, let host = server.host, let port = UInt16(exactly: server.port ?? 0)
    else { return nil }
    let isSecure = server.scheme?.lowercased() == "mqtts"
    self.init(
      host: host, port: port > 0 ? port : isSecure ? 8883 : 1883, isSecure: isSecure,
      authorities: authorities, user: user, password: password, topic: topic ?? "santorio",
      discovery: discovery ?? "homeassistant", expiresAfter: expiresAfter)
  }

  private static func server(_ mqtt: ConfigurationObject, allowsPlain: Bool) -> URL? {
    guard mqtt.value("server") != nil else {
      mqtt.missing("server", "an address like mqtts://broker.example.org")
      return nil
    }
    guard let text = mqtt.string("server") else { return nil }
    guard let server = URL(string: text), let scheme = server.scheme?.lowercased(),
      ["mqtt", "mqtts"].contains(scheme), server.host?.isEmpty == false, server.query == nil,
      server.fragment == nil, server.user == nil, server.password == nil,
      ["", "/"].contains(server.path), server.port.map({ (1...65_535).contains($0) }) ?? true
    else {
      // Without the text: a password may be part of it.
      mqtt.error(
        "server",
        "expected an address like mqtts://broker.example.org, without a name or password; these are "
          + "\"user\" and \"password\"")
      return nil
    }
    guard scheme == "mqtt", isElsewhere(server) else { return server }
    let danger = "this is plain MQTT to another machine: anyone on the network path could read it"
    if allowsPlain {
      mqtt.warning("server", danger)
    } else {
      mqtt.error("server", "\(danger); use mqtts, or say \"insecure\": true")
    }
    return server
  }

  /// Whether the host is another machine.
  private static func isElsewhere(_ server: URL) -> Bool {
    var parts = URLComponents()
    (parts.scheme, parts.host) = ("http", server.host)
    return parts.url?.isExposed ?? true
  }
}

extension ConfigurationObject {
  /// The first part of topics.
  fileprivate func topic(_ name: String) -> String? {
    guard let text = string(name) else { return nil }
    let isTopic =
      text.utf8.count <= 256 && !text.hasPrefix("/") && !text.hasSuffix("/")
      && !text.hasPrefix("$")
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "+" && $0 != "#" }
    guard isTopic else {
      error(name, "expected the beginning of a topic such as \"santorio\", without + and #")
      return nil
    }
    return text
  }
}

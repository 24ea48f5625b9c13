// SPDX-License-Identifier: Apache-2.0

package import SantorioMQTT

/// Where and how readings are shown in Home Assistant.
package struct HomeAssistantSettings: Hashable, Sendable {
  /// The name of this hub, by which its topics differ from those of other hubs.
  package var hub: String
  /// What tells this hub from others of its name; nil where nothing does.
  package var installation: String?
  /// The name or the address of the MQTT broker.
  package var host: String
  /// The broker's port; nil for the usual one: 8883 with TLS, 1883 without.
  package var port: Int?
  /// Whether the connection is encrypted and the broker's certificate is checked.
  package var usesTLS = true
  /// The path of a file of the only trusted certificates, in PEM form; nil for the system's.
  package var caFile: String?
  /// The path of the file of the hub's certificate, in PEM form; nil for none.
  package var certificate: String?
  /// The path of the file of its key, in PEM form, without a password.
  package var key: String?
  /// The user's name at the broker; nil for none.
  package var username: String?
  /// The user's password; nil for none.
  package var password: [UInt8]?
  /// The beginning of all topics of states.
  package var prefix = "santorio"
  /// The beginning of all topics of discovery, as Home Assistant is set up.
  package var discoveryPrefix = "homeassistant"
  /// The seconds for which a value is shown as the present one.
  package var expiry = 86_400

  /// Makes settings of an encrypted connection without a user.
  ///
  /// - Parameters:
  ///   - hub: The name of this hub.
  ///   - host: The name or the address of the broker.
  package init(hub: String, host: String) {
    self.hub = hub
    self.host = host
  }

  /// Why settings cannot be used.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting, by its name here.
    package let setting: String
    /// What it must be.
    package let message: String

    /// The setting and the message.
    package var description: String { "\(setting) \(message)" }
  }

  /// Checks the settings, but for the files and the broker.
  ///
  /// - Throws: ``Failure`` for the first setting that cannot be used.
  package func validate() throws(Failure) {
    try check(!hub.isEmpty, "hub", "must be a name")
    try check(!host.isEmpty && !host.utf8.contains(0), "host", "must be a name or an address")
    try check(port.map((1...65_535).contains) ?? true, "port", "must be 1 to 65535")
    try check(expiry > 0, "expiry", "must be some seconds")
    try checkFiles()
    try check(
      username.map { !$0.isEmpty && $0.utf8.count <= 65_535 && !$0.utf8.contains(0) } ?? true,
      "username", "must be a name without zero bytes")
    try check(
      password == nil || username != nil, "password", "needs a username: MQTT has none without")
    try check(
      password.map { $0.count <= 65_535 && !$0.contains(0) } ?? true, "password",
      "must have at most 65535 bytes, and no zero byte")
    try check(Self.isPrefix(prefix), "prefix", Self.prefixRule)
    try check(Self.isPrefix(discoveryPrefix), "discoveryPrefix", Self.prefixRule)
    try check(
      prefix != discoveryPrefix, "prefix", "must be another one than that of discovery")
  }

  private func checkFiles() throws(Failure) {
    try check(
      (certificate == nil) == (key == nil), certificate == nil ? "certificate" : "key",
      "is missing: a certificate and its key are needed together")
    for (name, path) in [("caFile", caFile), ("certificate", certificate), ("key", key)] {
      guard let path else { continue }
      try check(!path.isEmpty && !path.utf8.contains(0), name, "must be a path")
      try check(usesTLS, name, "is of no use without TLS")
    }
  }

  private func check(
    _ isRight: Bool, _ setting: String, _ message: String
  ) throws(Failure) {
    guard isRight else { throw Failure(setting: setting, message: message) }
  }

  private static let prefixRule =
    "must be levels of letters, digits, - and _ with / between them, at most 128 bytes"

  private static func isPrefix(_ prefix: String) -> Bool {
    let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
    return prefix.utf8.count <= 128
      && levels.allSatisfy { level in
        !level.isEmpty
          && level.utf8.allSatisfy { TopicSegment.isPlain($0) || $0 == 0x2d }
      }
  }

  /// Whether other settings mean the same topics at the same broker.
  package func hasSameTopics(as other: Self) -> Bool {
    (hub, host, port) == (other.hub, other.host, other.port)
      && (prefix, discoveryPrefix) == (other.prefix, other.discoveryPrefix)
  }

  /// The settings of the MQTT client, with the hub's availability and the subscriptions.
  package var client: MQTTSettings {
    let topics = HomeAssistantTopics(self)
    // Of two clients of one name, the broker would always disconnect the first.
    let name = TopicSegment.text(hub) + (installation.map { "-" + TopicSegment.text($0) } ?? "")
    var client = MQTTSettings(
      host: host, port: port ?? (usesTLS ? 8883 : 1883), clientID: "santorio-\(name)")
    client.username = username
    client.password = password
    if usesTLS {
      var trust = MQTTTrust(authorities: caFile)
      if let certificate, let key { trust.identity = .init(certificate: certificate, key: key) }
      client.tls = trust
    }
    client.presence = MQTTPresence(topic: topics.hubAvailability)
    // The states first: without one, what is kept of a device's availability is out of date.
    client.subscriptions = [topics.birth, topics.ownStates, topics.ownAvailabilities]
    if installation != nil { client.subscriptions.append(topics.installations) }
    return client
  }
}

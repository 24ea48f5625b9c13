// SPDX-License-Identifier: Apache-2.0

/// Which broker a client connects to, and how.
package struct MQTTSettings: Sendable {
  /// The name or the address of the broker.
  package var host: String
  /// The port, 1...65535.
  package var port: Int
  /// The client's name at the broker, which no other client may have.
  package var clientID: String
  /// The name of the user; nil for none.
  package var username: String?
  /// The password, without a zero byte; nil for none.
  package var password: [UInt8]?
  /// How the connection is protected; nil for an open one.
  package var tls: MQTTTrust?
  /// The longest time without a packet, 5...65535 seconds.
  package var keepAliveSeconds = 60
  /// The longest time from the connection to the broker's acceptance.
  package var longestHandshake = Duration.seconds(30)
  /// How the broker's other clients see whether this one is connected; nil if they do not.
  package var presence: MQTTPresence?
  /// The filters of the topics whose messages the client wants, subscribed at each connection.
  package var subscriptions: [String] = []
  /// The wait before the first attempt to connect again.
  package var firstDelay = Duration.seconds(1)
  /// The longest wait between two attempts.
  package var longestDelay = Duration.seconds(60)

  /// Makes settings of an open connection without a user.
  ///
  /// - Parameters:
  ///   - host: The name or the address of the broker.
  ///   - port: The port.
  ///   - clientID: The client's name at the broker.
  package init(host: String, port: Int = 1883, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }
}

/// How a connection is protected; the broker's certificate and name are always checked.
package struct MQTTTrust: Sendable {
  /// The path of a file of the only trusted certificates, in PEM form; nil for those of the system.
  package var authorities: String?
  /// The client's certificate; nil for none.
  package var identity: Identity?

  /// The paths of a certificate's file and of its key's, both in PEM form.
  package struct Identity: Sendable {
    /// The path of the certificate's file.
    package var certificate: String
    /// The path of the file of its private key, which has no password.
    package var key: String

    /// Names the files.
    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Makes a rule.
  package init(authorities: String? = nil, identity: Identity? = nil) {
    self.authorities = authorities
    self.identity = identity
  }
}

/// A retained message that says whether the client is connected.
///
/// The client publishes it when it connects and before it disconnects; when the connection is lost,
/// the broker does (the last will of MQTT 3.1.1, section 3.1.2.5).
package struct MQTTPresence: Sendable {
  /// The topic of the message.
  package var topic: String
  /// What the message says while the client is connected.
  package var online: [UInt8]
  /// What it says at other times.
  package var offline: [UInt8]

  /// Makes a message.
  package init(
    topic: String, online: [UInt8] = Array("online".utf8), offline: [UInt8] = Array("offline".utf8)
  ) {
    self.topic = topic
    self.online = online
    self.offline = offline
  }
}

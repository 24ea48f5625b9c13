// SPDX-License-Identifier: Apache-2.0

/// A message on a topic.
package struct MQTTMessage: Hashable, Sendable {
  /// The topic, at most 65,535 bytes, without `+` and `#`.
  package let topic: String
  /// The content.
  package let payload: [UInt8]
  /// Whether the broker keeps the message for later subscribers; of a received message, whether it
  /// was kept.
  package let isRetained: Bool

  /// Makes a message.
  package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

/// What a client notices, in order.
package enum MQTTEvent: Hashable, Sendable {
  /// The broker has accepted the connection and the subscriptions, except for those named.
  case connected(refusedSubscriptions: [String])
  /// There is no connection, for the reason given; the client tries again unless it was closed.
  case disconnected(MQTTError)
  /// A message of a topic that the client has subscribed to.
  ///
  /// What the broker has retained may come before ``connected(refusedSubscriptions:)``.
  case message(MQTTMessage)
}

/// Why there is no connection, or why a message was not acknowledged.
package struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  package let code: Code
  /// What happened, without topics and content.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }

  /// What can go wrong.
  package enum Code: Hashable, Sendable, CaseIterable {
    /// The settings cannot be used: a file cannot be read, or a value is out of its range.
    case invalidSettings
    /// The broker's name is not known.
    case unknownHost
    /// No connection was established.
    case unreachable
    /// The broker's certificate was not accepted, or TLS failed otherwise.
    case tlsFailed
    /// The broker does not accept the protocol, or does not keep it.
    case protocolRefused
    /// The broker does not accept the client's name.
    case clientIDRefused
    /// The broker says that it cannot serve at present.
    case serverUnavailable
    /// The broker does not accept the user name or the password, or the user may not connect.
    case credentialsRefused
    /// The broker took too long to accept the connection.
    case timedOut
    /// The connection was lost; what was not acknowledged may have arrived or not.
    case lost
    /// The client is not connected; the message was not sent.
    case notConnected
    /// The message cannot be sent as it is.
    case invalidMessage
    /// The client was closed; what was not acknowledged may have arrived or not.
    case closed
    /// The task was cancelled; the message may have arrived or not.
    case cancelled
  }
}

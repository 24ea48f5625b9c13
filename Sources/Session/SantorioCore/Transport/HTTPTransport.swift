// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Carries one HTTP request to a server and its answer back.
///
/// An implementation follows no redirects, verifies a server's certificate, and returns only
/// complete answers: an incomplete one is an error whatever its status line.
public protocol HTTPTransport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``TransportError``; except for `invalidRequest` the server may have done what the
  ///   request asked for. A cancelled task gets `cancelled`, unless the answer was there before.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// An HTTP request.
public struct TransportRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The method, for instance `POST`.
  public var method: String
  /// The address; its scheme decides between http and https.
  public var url: URL
  /// The header fields in addition to those that the transport adds itself.
  public var headers: [TransportHeader]
  /// The body; nil for none.
  public var body: [UInt8]?
  /// The maximum time for the exchange, and for an exchange without progress.
  ///
  /// A large body gets more time: a second for each 16 KiB.
  public var timeout: Duration
  /// The largest accepted body of an answer, in bytes.
  public var maximumResponseBytes: Int
  /// Whether the transport may send the request again by itself when a connection breaks; true if not
  /// set.
  ///
  /// Libraries do so on a connection that was used before, since the server may have closed it before
  /// the request came. A server that does not recognise repeats would then store twice. libcurl can be
  /// kept from it; whether `URLSession` repeats a POST is not documented, and cannot be chosen.
  public var isRepeatable = true

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The address.
  ///   - headers: The header fields.
  ///   - body: The body.
  ///   - timeout: The time limit of the exchange, without the extra time for a large body.
  ///   - maximumResponseBytes: The largest accepted body of an answer, in bytes.
  public init(
    method: String = "GET", url: URL, headers: [TransportHeader] = [], body: [UInt8]? = nil,
    timeout: Duration = .seconds(30), maximumResponseBytes: Int = 4 << 20
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maximumResponseBytes = maximumResponseBytes
  }

  /// The method; address, token and body are left out.
  public var description: String { "\(method) request" }
  /// Empty, so that a dump shows no token and no record.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TransportRequest {
  /// The header fields to send: those of the request, and who sends it unless it says so itself.
  var fields: [TransportHeader] {
    guard !headers.contains(where: { $0.name.lowercased() == "user-agent" }) else { return headers }
    return headers + [TransportHeader("User-Agent", SantorioVersion.userAgent)]
  }

  /// The minimum rate of a body, in bytes a second: 128 kbit/s, a poor mobile link.
  ///
  /// It limits slow transfers; a stalled connection ends sooner, by `longestSilence`.
  private static let slowestRate = 16 << 10

  /// The maximum time of the whole exchange, with an answer of this many bytes.
  func longestExchange(answer: Int = 0) -> Duration {
    timeout + .seconds((body?.count ?? 0) / Self.slowestRate + answer / Self.slowestRate)
  }

  /// The maximum time without progress, in seconds: ``timeout``, rounded up.
  var longestSilence: Int { max(1, Int((timeout.milliseconds + 999) / 1000)) }
}

/// A field of an HTTP header.
public struct TransportHeader: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The field's name; case does not matter.
  public var name: String
  /// The field's value.
  public var value: String

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - value: The field's value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The field's name; its value, which may be a token, is left out.
  public var description: String { "\(name) header" }
  /// Empty, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A complete HTTP answer.
public struct TransportResponse: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The status, 200...599.
  public var status: Int
  /// The header fields in the order of their arrival.
  public var headers: [TransportHeader]
  /// The body.
  public var body: [UInt8]

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The header fields.
  ///   - body: The body.
  public init(status: Int, headers: [TransportHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field with a given name.
  ///
  /// - Parameter name: The name; case does not matter.
  /// - Returns: The value, or nil when there is no such field.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The status and the body's length.
  public var description: String { "answer \(status) of \(body.count) bytes" }
  /// Empty, so that a dump shows no body.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why there is no complete answer.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let code: Code
  /// What happened, without addresses and content.
  public let message: String
  /// The result code of the underlying library, for instance libcurl's.
  public let systemCode: Int?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - message: What happened.
  ///   - systemCode: The result code of the underlying library.
  public init(_ code: Code, _ message: String, systemCode: Int? = nil) {
    self.code = code
    self.message = message
    self.systemCode = systemCode
  }

  /// The code and the message.
  public var description: String { "\(code.name): \(message)" }

  /// What can go wrong; an open set.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The code's name.
    public var description: String { name }

    /// The request cannot be sent as it is.
    public static let invalidRequest = Code(name: "invalid_request")
    /// The pins of a server's keys are too few or malformed.
    public static let invalidPins = Code(name: "invalid_pins")
    /// No connection was established.
    public static let unreachable = Code(name: "unreachable")
    /// The server's certificate was not accepted, or TLS failed otherwise.
    public static let tlsFailed = Code(name: "tls_failed")
    /// The time ran out before the answer was complete.
    public static let timedOut = Code(name: "timed_out")
    /// The connection ended before the answer was complete, or the answer was not HTTP.
    public static let incomplete = Code(name: "incomplete")
    /// The answer was larger than allowed.
    public static let tooLarge = Code(name: "too_large")
    /// The receiver of the answer could not process it.
    public static let notTaken = Code(name: "not_taken")
    /// The system blocks the unencrypted exchange (App Transport Security).
    public static let blockedBySystem = Code(name: "blocked_by_system")
    /// The transport knows no upload of that name.
    public static let unknownUpload = Code(name: "unknown_upload")
    /// The task was cancelled.
    public static let cancelled = Code(name: "cancelled")
  }
}

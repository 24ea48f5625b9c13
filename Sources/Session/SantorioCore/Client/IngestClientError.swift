// SPDX-License-Identifier: Apache-2.0

/// Why the server did not carry out a request.
///
/// The description holds no health values, names or tokens.
public struct IngestClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let code: Code
  /// The server's HTTP status, where there is an answer.
  public let status: Int?
  /// The server's reason, if it gave one; its texts may repeat parts of the record.
  public let failure: RecordFailure?
  /// The transport's error, where there is no complete answer.
  public let transportError: TransportError?
  /// How long the server asks to wait before the next try; nil when it does not specify that.
  public let retryAfter: Duration?

  init(
    _ code: Code, status: Int? = nil, failure: RecordFailure? = nil,
    transportError: TransportError? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.status = status
    self.failure = failure
    self.transportError = transportError
    self.retryAfter = retryAfter
  }

  /// Whether the same call may succeed later.
  ///
  /// Also after an answer that is not from the server: a proxy's or portal's answer is not final.
  public var isRetryable: Bool { [.unavailable, .noAnswer, .notUnderstood].contains(code) }

  /// The code and the status.
  public var description: String {
    let status = status.map { " (status \($0))" } ?? ""
    let cause = transportError.map { ": \($0)" } ?? ""
    return "\(code.name)\(status)\(cause)"
  }

  /// What can go wrong; an open set.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The code's name.
    public var description: String { name }

    /// The server's address is not an http or https URL.
    public static let invalidEndpoint = Code(name: "invalid_endpoint")
    /// The server is another machine and its address is http: data would be sent unencrypted.
    public static let insecureEndpoint = Code(name: "insecure_endpoint")
    /// The record cannot be encoded, or the image is too large; nothing was sent.
    public static let invalidRecord = Code(name: "invalid_record")
    /// The server does not know the user or the token.
    public static let credentialsRefused = Code(name: "credentials_refused")
    /// The user is the default one, whom no server knows.
    public static let defaultUser = Code(name: "default_user")
    /// The server has no such record.
    public static let unknownRecord = Code(name: "unknown_record")
    /// The record has another revision than the one that the call is based on.
    public static let revisionMismatch = Code(name: "revision_mismatch")
    /// The server will never store this as it is.
    public static let refused = Code(name: "refused")
    /// The server asks the client to wait.
    public static let unavailable = Code(name: "unavailable")
    /// There is no complete answer.
    ///
    /// The server may have carried out the request; repeating it is harmless.
    public static let noAnswer = Code(name: "no_answer")
    /// The answer is not from the API: something on the path sent it, or the address is wrong.
    public static let notUnderstood = Code(name: "not_understood")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// An HTTP request.
package struct CurlRequest: Sendable {
  /// The method, for instance `POST`.
  package var method: String
  /// The address; its scheme decides between http and https, and no other is accepted.
  package var url: String
  /// The header fields in addition to those that libcurl adds itself.
  package var headers: [CurlHeader]
  /// The body; nil for none.
  package var body: [UInt8]?
  /// The maximum time of the exchange, in milliseconds.
  package var longestMilliseconds: Int
  /// The maximum time without progress, in seconds.
  package var longestSilentSeconds: Int
  /// The largest accepted body of an answer, in bytes.
  package var maximumResponseBytes: Int
  /// Whether libcurl may send the request again by itself, as it does on a connection that was used
  /// before and breaks before the answer.
  package var isRepeatable = true

  /// Makes a request.
  package init(
    method: String = "GET", url: String, headers: [CurlHeader] = [], body: [UInt8]? = nil,
    longestMilliseconds: Int = 30_000, longestSilentSeconds: Int = 30,
    maximumResponseBytes: Int = 4 << 20
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.longestMilliseconds = longestMilliseconds
    self.longestSilentSeconds = longestSilentSeconds
    self.maximumResponseBytes = maximumResponseBytes
  }
}

/// A field of an HTTP header.
package struct CurlHeader: Hashable, Sendable {
  /// The field's name; case does not matter.
  package let name: String
  /// The field's value.
  package let value: String

  /// Makes a field.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A complete HTTP answer.
package struct CurlResponse: Hashable, Sendable {
  /// The status, 200...599.
  package let status: Int
  /// The header fields in the order of their arrival.
  package let headers: [CurlHeader]
  /// The body; empty if it was passed on.
  package let body: [UInt8]
}

/// Why there is no complete answer.
package struct CurlError: Error, Hashable, Sendable {
  /// What went wrong.
  package let code: Code
  /// What happened, without addresses and content.
  package let message: String
  /// libcurl's result code (libcurl-errors(3)); nil when the error is not libcurl's.
  package let curlCode: Int?

  init(_ code: Code, _ message: String, curlCode: Int? = nil) {
    self.code = code
    self.message = message
    self.curlCode = curlCode
  }

  /// What can go wrong.
  package enum Code: Hashable, Sendable, CaseIterable {
    /// The request cannot be sent as it is.
    case invalidRequest
    /// No connection was established.
    case unreachable
    /// The server's certificate was not accepted, or TLS failed otherwise.
    case tlsFailed
    /// The time ran out before the answer was complete.
    case timedOut
    /// The connection ended before the answer was complete, or the answer was not HTTP.
    case incomplete
    /// The answer was larger than allowed.
    case tooLarge
    /// The receiver of the answer threw an error.
    case receiverFailed
    /// The task was cancelled.
    case cancelled
  }
}

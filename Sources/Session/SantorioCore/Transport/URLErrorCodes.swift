// SPDX-License-Identifier: Apache-2.0

extension TransportError.Code {
  /// The meaning of a code of `NSURLErrorDomain` (NSURLError.h).
  init(urlError code: Int) {
    self =
      switch code {
      case -999: .cancelled
      case -1001: .timedOut
      // No such host, no connection, DNS, offline, roaming, a call, and data that is not allowed.
      case -1003, -1004, -1006, -1009, -1018, -1019, -1020: .unreachable
      case -1022: .blockedBySystem
      // TLS failed, and what is wrong with the certificate of the server or of the client.
      case (-1206)...(-1200): .tlsFailed
      case -995, -1000, -1002: .invalidRequest
      default: .incomplete
      }
  }

  /// What happened, and what to do about it.
  var explanation: String {
    switch self {
    case .blockedBySystem:
      "App Transport Security blocks http; use https, or add an exception for this host to "
        + "NSAppTransportSecurity in Info.plist"
    case .unreachable: "there is no connection to the server, or its use is not allowed"
    case .tlsFailed: "the server's certificate was not accepted, or TLS failed otherwise"
    case .timedOut: "the time ran out before the answer was complete"
    case .cancelled: "the task was cancelled"
    case .invalidRequest: "the address cannot be used"
    default: "the connection ended before the answer was complete"
    }
  }
}

extension TransportError {
  /// The meaning of an error of `NSURLErrorDomain`.
  init(urlError number: Int) {
    let code = Code(urlError: number)
    let explanation =
      switch number {
      case -995:
        "an app extension needs the transport's sharedContainer, an identifier of an app group"
      case -996, -997: "another process of the app has the uploads of this identifier"
      default: code.explanation
      }
    self.init(code, explanation, systemCode: number)
  }

  static let distrusted = TransportError(
    .tlsFailed, "the server's key is not one of the pinned keys")
}

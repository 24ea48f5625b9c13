// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The route to a server, in libcurl's terms.
package struct CurlRoute: Sendable {
  private let trust: CurlTrust
  private let unixSocket: String?

  /// Makes a route.
  ///
  /// - Parameters:
  ///   - trust: The servers that are trusted.
  ///   - unixSocket: The path of a socket through which all servers are reached; nil for none.
  package init(trust: CurlTrust, unixSocket: String? = nil) {
    self.trust = trust
    self.unixSocket = unixSocket
  }

  /// An error if libcurl cannot apply the required route; then nothing may be sent.
  func apply(to handle: UnsafeMutableRawPointer, for url: String) -> CurlError? {
    guard unsafe trust.apply(to: handle) else {
      return CurlError(.tlsFailed, "this libcurl cannot check a server as required")
    }
    // An empty name keeps libcurl from reading the environment.
    if unixSocket != nil || !url.lowercased().hasPrefix("https:"),
      unsafe ccurl_easy_string(handle, CURLOPT_PROXY, "") != CURLE_OK
    {
      return CurlError(.invalidRequest, "this libcurl cannot bypass a proxy")
    }
    if let unixSocket,
      unsafe ccurl_easy_string(handle, CURLOPT_UNIX_SOCKET_PATH, unixSocket) != CURLE_OK
    {
      return CurlError(.invalidRequest, "this libcurl does not support unix sockets")
    }
    return nil
  }
}

/// Which servers are trusted, in libcurl's terms.
package struct CurlTrust: Sendable {
  private let pins: String?
  private let authorities: String?

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - pins: The SHA-256 of each accepted public key in base64; nil to accept all.
  ///   - authorities: The path of a file of the only trusted certificates, in PEM form; nil for
  ///     those of the system.
  package init(pins: [String]? = nil, authorities: String? = nil) {
    self.pins = pins?.map { "sha256//\($0)" }.joined(separator: ";")
    self.authorities = authorities
  }

  /// False when libcurl lacks a required feature: then nothing may be sent.
  func apply(to handle: UnsafeMutableRawPointer) -> Bool {
    if let pins, unsafe ccurl_easy_string(handle, CURLOPT_PINNEDPUBLICKEY, pins) != CURLE_OK {
      return false
    }
    guard let authorities else { return true }
    return unsafe ccurl_easy_string(handle, CURLOPT_CAINFO, authorities) == CURLE_OK
      && ccurl_easy_string(handle, CURLOPT_CAPATH, nil) == CURLE_OK
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import FoundationEssentials

extension IngestServer {
  /// The files of the server's certificate.
  public struct CertificateFiles: Hashable, Sendable {
    /// The certificate and those of its issuers, in PEM form, the server's own first.
    public var certificate: String
    /// Its key in PEM form, without a password.
    ///
    /// Only its owner may be able to read it: the server's user, or root, whose group may read it,
    /// too.
    public var key: String

    /// Names the files.
    ///
    /// - Parameters:
    ///   - certificate: The certificate and those of its issuers.
    ///   - key: Its key.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// What a server needs to know to start.
  public struct Configuration: Sendable {
    /// The file of the storage; made if it is not there, in a folder that must exist.
    ///
    /// Images are kept beside it, in a folder of its name and `-media`.
    public var storagePath: String
    /// The addresses to listen on: IPv4 as `127.0.0.1`, IPv6 as `::1`, both with a port of their
    /// own as `[::1]:8443`, or a socket file as `unix:/run/santorio/http.sock`.
    ///
    /// `::` takes IPv4 as well.
    public var addresses: [String]
    /// The port of the addresses that have none of their own; 0 for any free one, see
    /// ``IngestServer/port``.
    public var port: UInt16
    /// The permissions of the socket files among the addresses.
    public var socketMode: UInt32 = 0o600
    /// A further socket file, which only the server's own user may open: requests that come by it
    /// are the operator's.
    public var administrationSocket: String?
    /// The certificate to speak TLS with on internet addresses; plain HTTP when nil.
    public var certificate: CertificateFiles?
    /// Whether a proxy stands before the server, whose header `X-Forwarded-For` says who the client
    /// is.
    ///
    /// All addresses must be those of this machine, since anybody who reached the server without
    /// the proxy could claim to be anybody.
    public var isBehindProxy = false
    /// The token that provisions users and opens the live page; the server makes one when nil.
    public var adminToken: String?
    /// What clients may use up.
    public var limits = Limits()
    /// Receives log lines, on any thread; they hold no health values, names or tokens.
    public var log: @Sendable (String) -> Void
    /// How long what was rejected is kept for diagnosis, in seconds: 30 days.
    public var rejectionLife: TimeInterval = 30 * 86_400
    var now: @Sendable () -> Date = { Date() }
    var heartbeat = DispatchTimeInterval.seconds(15)

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - storagePath: The file of the storage.
    ///   - addresses: The addresses to listen on; this machine only by default.
    ///   - port: The port to listen on; 0 for any free one.
    ///   - adminToken: The administrator's token, at least 16 characters; the server makes one
    ///     when nil.
    ///   - log: Receives log lines, on any thread.
    public init(
      storagePath: String, addresses: [String] = ["127.0.0.1"], port: UInt16 = 0,
      adminToken: String? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.storagePath = storagePath
      self.addresses = addresses
      self.port = port
      self.adminToken = adminToken
      self.log = log
    }

    /// Where the server is to listen.
    func listening(
      _ certificates: CertificateStore?
    ) throws(IngestError) -> HTTPServer.Listening {
      var places: [ListenAddress] = []
      for address in addresses { places.append(try ListenAddress(address)) }
      if isBehindProxy, let open = places.first(where: { !$0.isLocal }) {
        throw IngestError(
          .invalidConfiguration,
          "behind a proxy the server listens on this machine only, and \(open) is reached from "
            + "others; listen on 127.0.0.1, ::1 or a socket file")
      }
      return HTTPServer.Listening(
        addresses: places, port: port, socketMode: socketMode,
        administrationSocket: administrationSocket, certificates: certificates,
        isBehindProxy: isBehindProxy)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import FoundationEssentials

extension IngestServer {
  /// The files of the server's certificate.
  public struct CertificateFiles: Hashable, Sendable {
    /// The certificate chain in PEM form, the server's own certificate first.
    public var certificate: String
    /// The private key in PEM form, without a password.
    ///
    /// It must be readable by its owner only, which is the server's user or root. A file of root
    /// may also be readable by its group.
    public var key: String

    /// Creates a pair of file paths.
    ///
    /// - Parameters:
    ///   - certificate: The file of the certificate chain.
    ///   - key: The file of the private key.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The configuration of a server.
  public struct Configuration: Sendable {
    /// The storage file; it is created if it is missing, in a folder that must exist.
    ///
    /// Images are kept beside it, in a folder named after it with the suffix `-media`.
    public var storagePath: String
    /// The addresses to listen on.
    ///
    /// Each is an IPv4 address (`127.0.0.1`), an IPv6 address (`::1`), either of them with a port
    /// of its own (`[::1]:8443`), or a socket file (`unix:/run/santorio/http.sock`). `::` accepts
    /// IPv4 as well.
    public var addresses: [String]
    /// The port of addresses without a port of their own.
    ///
    /// 0 selects any free port, see ``IngestServer/port``.
    public var port: UInt16
    /// The permissions of the socket files among the addresses.
    public var socketMode: UInt32 = 0o600
    /// An additional socket file, for the operator's commands.
    ///
    /// Only the server's own user may open it. Requests received on it are the operator's.
    public var administrationSocket: String?
    /// The certificate for TLS on internet addresses; plain HTTP when nil.
    public var certificate: CertificateFiles?
    /// Whether the server is behind a proxy that names the client in `X-Forwarded-For`.
    ///
    /// All addresses must then be local to this machine: a client that reached the server without
    /// the proxy could claim any address.
    public var isBehindProxy = false
    /// The token that provisions users and opens the live page; generated when nil.
    public var adminToken: String?
    /// The resource limits of clients.
    public var limits = Limits()
    /// Receives log lines, on any thread; they contain no health values, names or tokens.
    public var log: @Sendable (String) -> Void
    /// How long rejected items are kept for diagnosis, in seconds: 30 days.
    public var rejectionLife: TimeInterval = 30 * 86_400
    var now: @Sendable () -> Date = { Date() }
    var heartbeat = DispatchTimeInterval.seconds(15)

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - storagePath: The storage file.
    ///   - addresses: The addresses to listen on; by default this machine only.
    ///   - port: The port to listen on; 0 for any free port.
    ///   - adminToken: The administrator's token, at least 16 characters; generated when nil.
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

    /// What the server listens on.
    func listening(
      _ certificates: CertificateStore?
    ) throws(IngestError) -> HTTPServer.Listening {
      var places: [ListenAddress] = []
      for address in addresses { places.append(try ListenAddress(address)) }
      if isBehindProxy, let open = places.first(where: { !$0.isLocal }) {
        throw IngestError(
          .invalidConfiguration,
          "behind a proxy the server may listen on this machine only, but \(open) is reachable "
            + "from other machines; listen on 127.0.0.1, ::1 or a socket file")
      }
      return HTTPServer.Listening(
        addresses: places, port: port, socketMode: socketMode,
        administrationSocket: administrationSocket, certificates: certificates,
        isBehindProxy: isBehindProxy)
    }
  }
}

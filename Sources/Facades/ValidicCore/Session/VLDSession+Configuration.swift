// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioConcurrency
public import SantorioCore

// Validic's documents name no server, since theirs is known to their library. Here the app says it
// once: in the dictionary `Santorio` of its Info.plist, or by a call before the first use.
extension VLDSession {
  private struct Shared {
    var configuration: SantorioSession.Configuration?
    var instance: VLDSession?
  }

  private static let shared = Locked(Shared())

  /// The session of the app.
  ///
  /// The first call opens it: it takes the configuration of ``configure(_:)``, and else that of the
  /// Info.plist. Where there is neither, records are kept on disk and not sent, and a warning is
  /// logged.
  ///
  /// - Returns: The session.
  public static func sharedInstance() -> VLDSession {
    let (instance, configured) = shared.withLock { ($0.instance, $0.configuration) }
    if let instance { return instance }
    // Outside of the lock: what is logged may go to a handler of the app's.
    let found = configured ?? SessionDictionary(Bundle.main.infoDictionary).configuration
    if found == nil {
      FacadeLog.warn(
        """
        no server is configured: records are kept on disk and not sent. Call VLDSession.configure \
        before the first use, or add the dictionary Santorio with a Server to the Info.plist
        """)
    }
    return shared.withLock { shared in
      if let instance = shared.instance { return instance }
      let configuration = shared.configuration ?? found
      let instance = VLDSession(
        configuration ?? .unconfigured(in: .validicSession), isConfigured: configuration != nil)
      shared.instance = instance
      return instance
    }
  }

  /// Says where records go, before the first use of ``sharedInstance()``.
  ///
  /// - Parameter configuration: The folder, the server and its format, and how they are used.
  /// - Returns: False when the session is in use already; then nothing changes, and a warning is
  ///   logged.
  @discardableResult
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  public static func configure(_ configuration: SantorioSession.Configuration) -> Bool {
    let isEarly = shared.withLock { shared in
      guard shared.instance == nil else { return false }
      shared.configuration = configuration
      return true
    }
    if !isEarly { FacadeLog.warn("the session is in use and cannot be configured any more") }
    return isEarly
  }

  /// Says to which server of Santorio's records go, before the first use of ``sharedInstance()``.
  ///
  /// - Parameter server: The server's address; `https`, or `http` for a server on the same machine.
  /// - Returns: False when the session is in use already; then nothing changes.
  @discardableResult
  public static func configure(server: URL) -> Bool {
    configure(SantorioSession.Configuration(directory: .validicSession, endpoint: server))
  }

  /// Forgets the instance, as the end of the process does; what it keeps on disk stays.
  package static func forgetInstance() async {
    let instance = shared.withLock { shared in
      defer { shared = Shared() }
      return shared.instance
    }
    await instance?.session.suspend()
  }

  /// Whether an address is one of the session's server, so that the user's token may be sent to it.
  func isServer(of url: URL) -> Bool {
    guard let server = destination?.endpoint else { return false }
    return server.scheme == url.scheme && server.host == url.host && server.port == url.port
  }
}

/// The dictionary `Santorio` of an Info.plist.
struct SessionDictionary {
  private let entries: [String: Any]?

  init(_ information: [String: Any]?) { entries = information?["Santorio"] as? [String: Any] }

  /// The configuration; nil when the dictionary is missing or names no server.
  var configuration: SantorioSession.Configuration? {
    guard let entries else { return nil }
    guard let text = entries["Server"] as? String, let server = URL(string: text),
      ["https", "http"].contains(server.scheme), server.host?.isEmpty == false,
      let destination = destination(server)
    else {
      FacadeLog.warn(
        """
        the dictionary Santorio of the Info.plist needs a Server (a URL with https), and as Destination, if \
        any, Ingest, InformConnect, LegacyV1 or FHIR
        """)
      return nil
    }
    return SantorioSession.Configuration(directory: .validicSession, destination: destination)
  }

  private func destination(_ server: URL) -> (any RecordDestination)? {
    switch entries?["Destination"] as? String ?? "Ingest" {
    case "Ingest": IngestAPI(server)
    case "InformConnect": InformConnect(server)
    case "LegacyV1": LegacyV1(server)
    case "FHIR": FHIRServer(server)
    default: nil
    }
  }
}

extension URL {
  /// The folder of the session in the app's own files.
  static var validicSession: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (folders.first ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("Santorio", isDirectory: true)
  }
}

extension SantorioSession.Configuration {
  /// Keeps records on disk and sends nothing.
  static func unconfigured(in folder: URL) -> Self {
    var configuration = SantorioSession.Configuration(
      directory: folder, destination: IngestAPI(URL(fileURLWithPath: "/")))
    if let nowhere = URL(string: "https://server.invalid") {
      configuration.destination = IngestAPI(nowhere)
    }
    configuration.transport = NoTransport()
    return configuration
  }
}

/// Reaches no server.
private struct NoTransport: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw TransportError(.unreachable, "no server is configured")
  }
}

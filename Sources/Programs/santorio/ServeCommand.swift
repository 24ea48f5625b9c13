// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer

extension Command {
  static let serve = Command(
    name: "serve",
    summary: "Run the server that receives and keeps records.",
    forms: [
      "[--data FOLDER] [--address ADDRESSES] [--port PORT] [--tls-certificate FILE --tls-key FILE]",
      "[--data FOLDER] [--address ADDRESSES] [--port PORT] --behind-proxy",
    ],
    options: [
      CommandOption("data", "FOLDER", help: "Where records are kept; ./data if not given.")
    ] + ServeOptions.options,
    details: """
      The administrator's token provisions users and opens the live page. It is taken from the
      environment variable \(AdminToken.variable) or, in a service, from systemd's credential
      \(AdminToken.credential); otherwise it is created at the first start and kept in
      FOLDER/admin-token, readable by its owner only. The server also listens on FOLDER/server.sock,
      which only its own user may open: "santorio user --data FOLDER" needs no token.

      Without a certificate the server speaks plain HTTP, and only on addresses that no other
      machine can reach. SIGHUP makes it reload certificate and key without an interruption. It runs
      until Ctrl-C or SIGTERM; what it has acknowledged survives any end. The exit status is 75 when
      another server uses the folder. For more see Documentation/server.md.
      """
  ) { arguments in
    guard arguments.operands.isEmpty else {
      throw UsageError("\"serve\" takes options only.", command: "serve")
    }
    ProcessSettings.raiseOpenFiles()
    ProcessSettings.returnFreedMemory()
    let options = try ServeOptions(arguments)
    let folder = try DataFolder.make(arguments["data"] ?? "data", for: "serve")
    let token = try AdminToken.load(in: folder)
    let log: @Sendable (String) -> Void = { printError("\(Date().formatted(.iso8601)) \($0)") }
    for address in options.exposed {
      log("warning: tokens and readings cross the network as plain text address=\(address)")
    }
    let server = try IngestServer(
      configuration: options.configuration(in: folder, adminToken: token, log: log))
    if token == nil { try AdminToken.keep(server.adminToken, in: folder) }
    let stop = await StopSignal()
    let reload = await ReloadSignal {
      guard options.certificate != nil else { return log("nothing to load again: no certificate") }
      server.reloadCertificate()
    }
    print(options.listeningMessage(port: server.port))
    await stop.wait()
    server.stop()
    withExtendedLifetime(reload) {}
    return 0
  }
}

extension ServeOptions {
  /// The server's configuration.
  func configuration(
    in folder: URL, adminToken: String?, log: @escaping @Sendable (String) -> Void
  ) -> IngestServer.Configuration {
    var configuration = IngestServer.Configuration(
      storagePath: folder.appendingPathComponent("records.sqlite").path,
      addresses: addresses.map(\.description), port: port, adminToken: adminToken, log: log)
    configuration.administrationSocket = folder.appendingPathComponent("server.sock").path
    configuration.socketMode = socketMode
    configuration.certificate = certificate
    configuration.isBehindProxy = isBehindProxy
    configuration.limits = limits
    return configuration
  }

  /// The line with the address of the live page.
  func listeningMessage(port: UInt16) -> String {
    guard let address = addresses.first(where: \.isInternet) else {
      return "listening on \(addresses.map(\.description).joined(separator: ", "))"
    }
    return "live page: \(certificate == nil ? "http" : "https")://\(address.host(port: port))/"
  }
}

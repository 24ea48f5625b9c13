// SPDX-License-Identifier: Apache-2.0

// The connection to the server, and the protection of a copied queue.
extension GatewayFacts {
  /// The server that readings are to be sent to.
  package struct Server: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
      /// It answered with this HTTP status.
      case status(Int)
      /// No answer, and why.
      case none(String)
    }

    package var address: String
    /// Whether what is sent goes unencrypted over a network.
    package var isExposed: Bool
    /// Whether the caller allows that.
    package var isExposureAllowed: Bool
    package var answer: Answer

    package init(address: String, isExposed: Bool, isExposureAllowed: Bool, answer: Answer) {
      self.address = address
      self.isExposed = isExposed
      self.isExposureAllowed = isExposureAllowed
      self.answer = answer
    }
  }

  var serverFinding: GatewayFinding? {
    guard let server else { return nil }
    if server.isExposed {
      return GatewayFinding(
        .server, server.isExposureAllowed ? .note : .problem,
        "\"\(server.address)\" is plain HTTP to another machine: anyone on the network path can "
          + "read the token and all readings.",
        "Give the server a certificate (\"santorio serve --help\") and its address as https://…")
    }
    return switch server.answer {
    case .status(200): GatewayFinding(.server, .ok, "\"\(server.address)\" answers.")
    case .status(let status):
      GatewayFinding(
        .server, .note,
        "\"\(server.address)\" answers with status \(status): a proxy, or not a Santorio server.")
    case .none(let reason):
      GatewayFinding(
        .server, .problem, "\"\(server.address)\" does not answer (\(reason)).",
        "If you use a certificate authority of your own, add --ca FILE.")
    }
  }

  var keyFinding: GatewayFinding? {
    guard let folder else { return nil }
    guard let key = folder.keyBeside else {
      return GatewayFinding(.queueKey, .ok, "The queue's key is not stored beside it.")
    }
    return GatewayFinding(
      .queueKey, .note,
      "The queue's key is stored beside it, in \"\(key)\": a copy of the folder can be decrypted.",
      "sudo systemd-creds encrypt --name=santorio.outbox-key '\(key)' "
        + "/etc/credstore.encrypted/santorio.outbox-key",
      "Load it in the unit as Examples/Gateway/santorio.service does, restart the service, and remove "
        + "the file: sudo shred -u '\(key)'")
  }
}

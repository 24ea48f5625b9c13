// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatewayDiagnosis
import SantorioCore

/// Checks whether a server answers, without a token.
struct ServerInspection: Sendable {
  let address: String
  let options: TransportOptions

  /// The facts; takes seconds at most.
  ///
  /// - Throws: ``UsageError`` when the address is not a server's.
  func facts() async throws(UsageError) -> GatewayFacts.Server {
    guard let server = URL(string: address), ["http", "https"].contains(server.scheme),
      server.host != nil
    else {
      throw UsageError(
        "--server takes an address like https://readings.example.org, not \"\(address)\".",
        command: "doctor")
    }
    return GatewayFacts.Server(
      address: address, isExposed: server.isExposed, isExposureAllowed: options.allowsPlainHTTP,
      answer: await answer(of: server))
  }

  private func answer(of server: URL) async -> GatewayFacts.Server.Answer {
    let request = TransportRequest(
      url: server.appendingPathComponent("healthz"), timeout: .seconds(10))
    do throws(TransportError) {
      return .status(try await options.transport().send(request).status)
    } catch {
      return .none("\(error)")
    }
  }
}

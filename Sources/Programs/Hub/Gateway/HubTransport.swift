// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioCore

/// The transport to the server, one for all patients: its connections and its thread serve all of them.
final class HubTransport: Sendable {
  private struct Known {
    let server: HubConfiguration.Server?
    let transport: CurlTransport
  }

  private let known = Locked<Known?>(nil)

  /// The transport of a configuration; another one where its server is another.
  ///
  /// - Throws: `TransportError` when the pinned keys are not valid.
  func current(of configuration: HubConfiguration) throws(TransportError) -> CurlTransport {
    try known.withLock { known throws(TransportError) in
      if let known, known.server == configuration.server { return known.transport }
      let transport = try configuration.transport()
      known = Known(server: configuration.server, transport: transport)
      return transport
    }
  }
}

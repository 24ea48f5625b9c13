// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
package import SantorioCore

extension HubConfiguration {
  /// Where a patient's records go, and in which form.
  ///
  /// - Parameter patient: The patient.
  /// - Returns: The destination; nil without a server.
  package func destination(for patient: Patient) -> (any RecordDestination)? {
    guard let server else { return nil }
    switch server.form {
    case .ingest: return IngestAPI(server.address)
    case .inform: return InformConnect(server.address)
    case .legacy: return LegacyV1(server.address)
    case .fhir:
      return FHIRServer(
        server.address, subject: patient.subject.map(FHIRServer.Subject.reference) ?? .user,
        profile: server.profile, gateway: FHIRGateway(identifier: server.gateway ?? name),
        chart: FHIRChart(performer: server.performer, encounter: patient.encounter))
    }
  }

  /// The transport to the server.
  ///
  /// - Throws: `TransportError` when the pinned keys are not valid, which reading the file refuses.
  package func transport() throws(TransportError) -> CurlTransport {
    let pins = server?.pins ?? []
    return CurlTransport(
      pinnedKeys: pins.isEmpty ? nil : try PinnedKeys(pins),
      certificateAuthorities: server?.authorities.map { URL(fileURLWithPath: $0) })
  }
}

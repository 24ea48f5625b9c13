// SPDX-License-Identifier: Apache-2.0
final class BlueZPeripheralSession: PeripheralSession, @unchecked Sendable {
  init(
    _ host: BlueZHost, queue: DispatchQueue, restoring: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) {}
  func add(_ service: LocalService) {}
  func remove(_ service: LocalAttribute) {}
  func removeAll() {}
  func startAdvertising(_ advertisement: Advertisement) {}
  func stopAdvertising() {}
  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {}
  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {}
  func publishChannel(encrypted: Bool) {}
  func unpublishChannel(_ psm: CBL2CAPPSM) {}
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {}
  func close() {}
}
enum L2CAPConnector {
  static func open(
    _ psm: CBL2CAPPSM, from: BlueZAddress, to: BlueZAddress, queue: DispatchQueue,
    completion: @escaping @Sendable (Result<any RadioChannel, RadioError>) -> Void
  ) { completion(.failure(.system(.operationNotSupported))) }
}

// SPDX-License-Identifier: Apache-2.0

/// The peripheral role of a ``Radio`` for one manager.
package protocol PeripheralSession: AnyObject, Sendable {
  /// Publishes a service; ends in `.serviceAdded`.
  func add(_ service: LocalService)
  func remove(_ service: LocalAttribute)
  func removeAll()

  /// Advertises; ends in `.advertisingStarted`.
  func startAdvertising(_ advertisement: RadioAdvertisement)
  func stopAdvertising()

  /// Answers a `.read` or a `.write`; the radio sends as much of a read's data as fits.
  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>)

  /// Notifies or indicates a value to subscribed centrals, nil for all; ends in `.updateSent`.
  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber)

  /// Listens for channels under a new number; ends in `.channelPublished`.
  func publishChannel(encrypted: Bool)

  /// Stops listening and closes the channels of the number; ends in `.channelUnpublished`.
  func unpublishChannel(_ psm: CBL2CAPPSM)

  /// Asks for another connection interval.
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier)

  /// Ends the session, its advertising, services and channels; no event follows.
  func close()
}

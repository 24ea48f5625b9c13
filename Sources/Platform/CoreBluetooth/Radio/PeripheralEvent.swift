// SPDX-License-Identifier: Apache-2.0

/// An event of a peripheral session.
package enum PeripheralEvent: Sendable {
  /// The state that the radio has kept for a manager; its services and its advertising continue.
  case restored(PeripheralRestoration)
  /// Below `.poweredOn` all centrals are disconnected; below `.poweredOff` the services are removed.
  case stateChanged(CBManagerState)
  case serviceAdded(LocalAttribute, RadioError?)
  case advertisingStarted(RadioError?)
  /// Requires `respond`, once.
  case read(RequestNumber, RemoteCentral, LocalAttribute, offset: Int)
  /// The parts are one write, all or nothing. Requires `respond`, once, also for a command.
  case write(RequestNumber, RemoteCentral, [WritePart])
  case subscribed(RemoteCentral, LocalAttribute)
  /// Also when the link ends.
  case unsubscribed(RemoteCentral, LocalAttribute)
  /// The value was sent, or there was no subscriber; another value can be sent.
  case updateSent(RequestNumber)
  /// Answers `publishChannel`; without an error the number is that of the service.
  case channelPublished(CBL2CAPPSM, RadioError?)
  /// Answers `unpublishChannel`.
  case channelUnpublished(CBL2CAPPSM, RadioError?)
  case channelOpened(RemoteCentral, any RadioChannel)
}

// SPDX-License-Identifier: Apache-2.0

/// A number of the caller's choice that comes back with the answer.
package typealias RequestNumber = UInt64

/// How a connection is made.
package struct ConnectRequest: Codable, Hashable, Sendable {
  /// How long to wait before the first attempt.
  package var delay: Duration
  /// Whether the manager connects again after a loss; kept by the radio for restoration only.
  package var reconnects: Bool

  /// A request.
  package init(delay: Duration = .zero, reconnects: Bool = false) {
    self.delay = delay
    self.reconnects = reconnects
  }
}

/// A request to a connected peer.
package enum PeerRequest: Hashable, Sendable {
  /// Answered by `.services`; nil asks for all.
  case discoverServices([BluetoothUUID]?)
  /// Answered by `.services`.
  case discoverIncludedServices([BluetoothUUID]?, of: AttributeHandle)
  /// Answered by `.characteristics`.
  case discoverCharacteristics([BluetoothUUID]?, of: AttributeHandle)
  /// Answered by `.descriptors`.
  case discoverDescriptors(of: AttributeHandle)
  /// Answered by `.value` with the complete value.
  case read(AttributeHandle)
  /// At most 512 bytes, written completely; answered by `.done`.
  case write(Data, AttributeHandle)
  /// Answered by `.done` as soon as the radio has room for another one.
  case writeWithoutResponse(Data, AttributeHandle)
  /// Answered by `.done`.
  case subscribe(Subscription, AttributeHandle)
  /// Answered by `.rssi`.
  case readRSSI
  /// Answered by `.channel`.
  case openChannel(CBL2CAPPSM)
}

/// How a client subscribes to a characteristic's changes.
package enum Subscription: UInt8, Hashable, Sendable {
  case none, notifications, indications
}

/// The answer to a ``PeerRequest``.
package enum PeerAnswer: Sendable {
  case services([RemoteService])
  case characteristics([RemoteCharacteristic])
  case descriptors([RemoteDescriptor])
  case value(Data)
  /// In dBm.
  case rssi(Int)
  case channel(any RadioChannel)
  case done
}

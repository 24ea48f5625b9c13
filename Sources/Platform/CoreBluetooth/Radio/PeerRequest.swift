// SPDX-License-Identifier: Apache-2.0

/// A number of the caller's choice that comes back with the answer.
@_spi(Radio) public typealias RequestNumber = UInt64

/// How a connection is made.
@_spi(Radio)
public struct ConnectRequest: Codable, Hashable, Sendable {
  /// How long to wait before the first attempt.
  public var delay: Duration
  /// Whether the manager connects again after a loss; kept by the radio for restoration only.
  public var reconnects: Bool

  /// A request.
  public init(delay: Duration = .zero, reconnects: Bool = false) {
    self.delay = delay
    self.reconnects = reconnects
  }
}

/// A request to a connected peer.
@_spi(Radio)
public enum PeerRequest: Hashable, Sendable {
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
@_spi(Radio)
public enum Subscription: UInt8, Hashable, Sendable {
  case none, notifications, indications
}

/// The answer to a ``PeerRequest``.
@_spi(Radio)
public enum PeerAnswer: Sendable {
  case services([RemoteService])
  case characteristics([RemoteCharacteristic])
  case descriptors([RemoteDescriptor])
  case value(Data)
  /// In dBm.
  case rssi(Int)
  case channel(any RadioChannel)
  case done
}

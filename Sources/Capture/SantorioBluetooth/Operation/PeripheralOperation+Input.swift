// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PeripheralOperation {
  /// What an operation is for.
  enum Purpose: Hashable, Sendable {
    /// To make a bond with a device and set its clock.
    case pair
    /// To take a device's measurements.
    case read
  }

  /// What happened.
  enum Input: Hashable, Sendable {
    /// The radio's state is known or has changed.
    case radioChanged(RadioState)
    /// A device advertises.
    case discovered(UUID, name: String?, services: [String])
    /// The connection stands.
    case connected
    /// The connection could not be made.
    case connectionFailed(LinkFailure)
    /// The services asked for were looked for; those found.
    case servicesDiscovered([String])
    /// The characteristics asked for were looked for in one service; those found.
    case characteristicsDiscovered([String], service: String)
    /// A discovery failed.
    case discoveryFailed(LinkFailure)
    /// A value was read, notified or indicated.
    case valueReceived(Attribute, [UInt8])
    /// A read failed.
    case readFailed(Attribute, LinkFailure)
    /// A write was confirmed, or refused.
    case written(Attribute, LinkFailure?)
    /// A subscription was made or ended, or refused.
    case subscriptionChanged(Attribute, LinkFailure?)
    /// The connection is gone; without a failure when this side ended it.
    case disconnected(LinkFailure?)
    /// A deadline may have been reached.
    case timeReached
    /// The user wants no more of it.
    case cancelRequested
  }

  /// What to do.
  enum Action: Hashable, Sendable {
    case scan(services: [String])
    case stopScan
    case connect(UUID)
    case discoverServices([String])
    case discoverCharacteristics([String], service: String)
    case read(Attribute)
    case writeClock(Attribute)
    case subscribe(Attribute)
    case unsubscribe(Attribute)
    case disconnect
    case notify(Notice)
  }

  /// What to tell.
  enum Notice: Hashable, Sendable {
    /// A device was found and will be connected.
    case found(BluetoothPeripheral, UUID)
    /// A fact about the device was read.
    case fact(Attribute, [UInt8])
    /// The device waits for a measurement to be made.
    case readyToRead
    /// The device sent a measurement.
    case measurement([UInt8])
    /// The bond stands.
    case paired
    /// It is over; nothing follows.
    case ended(Outcome)
  }

  /// How an operation ended.
  enum Outcome: Hashable, Sendable {
    case finished
    case cancelled
    case failed(BluetoothError)
  }

  /// The radio's state.
  enum RadioState: Hashable, Sendable {
    /// Not known yet, or about to change.
    case unknown
    case on
    /// Bluetooth cannot be used, and why.
    case unavailable(BluetoothError.Unavailability)
  }

  /// Why a request to the device or the connection to it failed.
  struct LinkFailure: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// The device wants a bond that could not be made.
      case notPaired
      /// The device wants encryption, for which there is no key or one that does not fit.
      case notEncrypted
      /// The device has forgotten the bond.
      case bondLost
      /// The device ended the connection.
      case hungUp
      /// Anything else.
      case other
    }

    let kind: Kind
    /// What the system said.
    let message: String

    init(_ kind: Kind, _ message: String = "") {
      self.kind = kind
      self.message = message
    }
  }
}

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
    /// Known devices were asked for; those that the system knows, in the order asked.
    case retrievedKnown([Sighting])
    /// Devices to which any app has a connection were asked for; those found.
    case retrievedConnected([Sighting])
    /// A device advertises.
    case discovered(Sighting)
    /// The connection stands.
    case connected(UUID)
    /// The connection could not be made.
    case connectionFailed(UUID, LinkFailure)
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
    /// The connection is gone, or was cancelled; without a failure when this side ended it.
    case disconnected(UUID, LinkFailure?)
    /// A deadline may have been reached.
    case timeReached
    /// The user wants no more of it.
    case cancelRequested
  }

  /// A device, and what is known of it before it is connected.
  struct Sighting: Hashable, Sendable {
    let id: UUID
    let name: String?
    /// The services that it advertises or is known to have.
    let services: [String]

    init(_ id: UUID, name: String?, services: [String] = []) {
      self.id = id
      self.name = name
      self.services = services
    }
  }

  /// What to do.
  ///
  /// The two that retrieve come last of the actions: they are answered at once.
  enum Action: Hashable, Sendable {
    case retrieveKnown([UUID])
    case retrieveConnected(services: [String])
    case scan(services: [String])
    case stopScan
    /// Connect, however long it takes.
    case connect(UUID)
    /// Look for services of the device from which all else is asked from now on.
    case discoverServices([String], of: UUID)
    case discoverCharacteristics([String], service: String)
    case read(Attribute)
    case writeClock(Attribute)
    case subscribe(Attribute)
    case unsubscribe(Attribute)
    /// End a connection, or give it up before it stands.
    case disconnect(UUID)
    case notify(Notice)
  }

  /// What to tell.
  enum Notice: Hashable, Sendable {
    /// A device was found and is being connected, or has answered.
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

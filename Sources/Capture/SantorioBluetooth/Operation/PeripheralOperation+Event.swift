// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthDevices
import HealthGATT

extension PeripheralOperation {
  typealias Purpose = DriverContext.Purpose

  /// What happened.
  enum Event: Hashable, Sendable {
    /// The radio's state is known or has changed.
    case radioChanged(RadioState)
    /// Known devices were asked for; those that the system knows, in the order asked.
    case retrievedKnown([DiscoveredDevice])
    /// Devices to which any app has a connection were asked for; those found.
    case retrievedConnected([DiscoveredDevice])
    /// A device advertises.
    case discovered(DiscoveredDevice)
    /// A device cannot be connected yet, and why.
    case waiting(UUID, ConnectionObstacle)
    /// The connection stands.
    case connected(UUID)
    /// The connection could not be made.
    case connectionFailed(UUID, RequestFailure)
    /// The services asked for were looked for; those found.
    case servicesDiscovered([String])
    /// The characteristics asked for were looked for in one service; those found.
    case characteristicsDiscovered([String], service: String)
    /// A discovery failed.
    case discoveryFailed(RequestFailure)
    /// A value was read, notified or indicated.
    case value(GATTAttribute, [UInt8])
    /// A read failed.
    case readFailed(GATTAttribute, RequestFailure)
    /// A write was confirmed, or refused.
    case written(GATTAttribute, RequestFailure?)
    /// A subscription was made or ended, or refused.
    case subscriptionChanged(GATTAttribute, RequestFailure?)
    /// The connection is gone, or was cancelled; without a failure when this side ended it.
    case disconnected(UUID, RequestFailure?)
    /// What is kept about the device was asked for.
    case deviceState(UUID, DeviceState)
    /// What is kept about the device could not be read.
    case deviceStateUnread(BluetoothError)
    /// All readings so far are on disk; the answer to ``Report/confirmStorage``.
    case stored
    /// The readings could not be put on disk.
    case notStored
    /// Some of the readings are other users', and stay on the device.
    case keptForOthers
    /// Services of the device that are in use are gone, or were replaced.
    case servicesChanged
    /// A deadline may have been reached.
    case timeReached
    /// The process is about to be suspended, and is not woken for what the device sends.
    case backgroundTimeExpired
    /// The user wants no more of it.
    case cancelRequested
  }

  /// A device, and what is known of it before it is connected.
  struct DiscoveredDevice: Hashable, Sendable {
    let id: UUID
    /// What it advertises; for one that is connected, what it is known to have.
    let advertisement: Advertisement
    /// The strength of its signal in dBm; nil when it is not known.
    let rssi: Int?

    init(_ id: UUID, _ advertisement: Advertisement, rssi: Int? = nil) {
      self.id = id
      self.advertisement = advertisement
      self.rssi = rssi
    }

    init(_ id: UUID, name: String?, services: [String] = []) {
      self.init(id, Advertisement(name: name, services: services))
    }
  }

  /// What to do.
  enum Action: Hashable, Sendable {
    case retrieveKnown([UUID])
    case retrieveConnected(services: [String])
    /// Listen to advertisements; nil for those of all devices.
    case scan(services: [String]?, allowsDuplicates: Bool)
    case stopScan
    /// Connect, however long it takes.
    case connect(UUID)
    /// Look for services of the device from which all else is asked from now on.
    case discoverServices([String], of: UUID)
    case discoverCharacteristics([String], service: String)
    /// Look up what is kept about a device.
    case retrieveDeviceState(UUID)
    /// Ask the device; one request at a time.
    case request(RequestQueue.Request)
    /// End a connection, or give it up before it stands.
    case disconnect(UUID)
    case report(Report)
  }

  /// What to report.
  enum Report: Hashable, Sendable {
    /// A device was found and is being connected, or has answered.
    case found(DeviceModel, UUID)
    /// A device cannot be connected yet, and why.
    case waiting(DeviceModel, UUID, ConnectionObstacle)
    /// The device said something about itself.
    case fact(DeviceInformation)
    /// The device waits for a measurement to be made.
    case readyToRead
    /// The device sent a measurement.
    case reading(DeviceReading)
    /// All readings so far must be on disk before it goes on.
    case confirmStorage
    /// How far the transfer has come, once all readings so far are on disk.
    case advance(SyncCheckpoint)
    /// Bytes to be kept for this device.
    case keep(DeviceSecret, [UInt8])
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
    /// The system asks its user whether the app may use Bluetooth.
    case awaitingPermission
    case on
    /// Bluetooth cannot be used, and why.
    case unavailable(BluetoothError.Unavailability)
  }
}

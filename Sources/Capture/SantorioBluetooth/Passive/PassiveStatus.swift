// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices

/// Whether devices are read passively now, and if not, why.
public struct PassiveStatus: Hashable, Sendable {
  /// Why nothing is read now; nil when devices are waited for.
  public internal(set) var obstacle: Obstacle?
  /// What makes it read less than it could, with what to do about it.
  public let limits: [Limit]
  /// The numbers in the catalogue of what is read.
  public let peripheralIDs: [Int]
  /// The devices that are known, and those that were read, in the order of their identifiers.
  public let devices: [Device]

  /// Whether devices are waited for.
  public var isOn: Bool { obstacle == nil }

  /// Why nothing is read.
  ///
  /// Cases are added over time, in minor versions too: give each `switch` a `default`.
  public enum Obstacle: Hashable, Sendable {
    /// No peripherals are set, see ``BluetoothPassiveManager/setPeripheralIDs(_:devices:)``.
    case notSet
    /// There is no session, or not the one any more for whose user they were set.
    case noSession
    /// The session is the default user's, to whom nothing is read passively.
    case defaultUser
    /// Bluetooth cannot be used.
    case bluetooth(BluetoothError.Unavailability)
    /// The user is being asked whether the app may use Bluetooth.
    case awaitingPermission
    /// A pairing or a reading is under way that the app has begun; it goes on after that.
    case interactiveOperation
    /// What is to be read cannot be looked up, since the session's file cannot be read; for instance
    /// before the first unlock of a phone after its start.
    case storage(String)
  }

  /// What makes it read less than it could.
  ///
  /// Cases are added over time, in minor versions too: give each `switch` a `default`.
  public enum Limit: Hashable, Sendable {
    /// The app lacks the background mode `bluetooth-central`: nothing is read in the background.
    case noBackgroundMode
    /// The central has no restore identifier: iOS does not launch the app for a device.
    case noRestoreIdentifier
    /// The kind of device is heard badly or not at all while the app is in the background.
    case hardlyHeardInBackground(DeviceModel, BackgroundDiscovery)
    /// The kind of device must be paired before it is read, and none of it has been.
    case notPaired(DeviceModel)
  }

  /// One device.
  public struct Device: Hashable, Sendable {
    /// The system's identifier.
    public let identifier: UUID
    /// What it is.
    public let model: DeviceModel
    /// What happens to it now.
    public let state: State
    /// Why it was not read the last time; nil when it was.
    public let lastError: BluetoothError?
    /// How often in a row it could not be read.
    public let failures: Int
    /// When it was heard or connected last; nil when that was not since the process began.
    public let lastSeen: Date?
    /// When it was read last, also by an earlier process.
    public let lastRead: Date?
    /// When it is tried again that is left alone now.
    public let nextTry: Date?
  }

  /// What happens to a device.
  ///
  /// Cases are added over time, in minor versions too: give each `switch` a `default`.
  public enum State: String, Hashable, Sendable {
    /// Its connection, or its advertisement, is waited for.
    case waiting
    /// It is being read.
    case reading
    /// It was read, and is left alone until it has stopped broadcasting.
    case quiet
    /// It has failed, and is left alone for a while.
    case backingOff
    /// It has lost its bond: it must be paired anew.
    case bondLost
    /// It has filled its share of the queue, and is left alone until that was sent.
    case queueFull
    /// Nothing is read now, see ``PassiveStatus/obstacle``.
    case stopped
  }
}

extension PassiveStatus.Obstacle: CustomStringConvertible {
  /// What it is and what to do about it, in English.
  public var description: String {
    switch self {
    case .notSet: "No peripherals are set for passive reading."
    case .noSession:
      "There is no session of the user for whom passive reading was set. Start one and set it again."
    case .defaultUser: "Nothing is read passively for the default user. Start a user's session."
    case .bluetooth(let reason): reason.message
    case .awaitingPermission: "The user is being asked whether this app may use Bluetooth."
    case .interactiveOperation:
      "A pairing or a reading is under way. Passive reading goes on after it."
    case .storage(let reason): "The session's file cannot be read: \(reason)"
    }
  }
}

extension PassiveStatus.Limit: CustomStringConvertible {
  /// What it is and what to do about it, in English.
  public var description: String {
    switch self {
    case .noBackgroundMode:
      "Nothing is read in the background: add the background mode \"bluetooth-central\" to Info.plist."
    case .noRestoreIdentifier:
      "The system does not launch the app for a device: give the central a restore identifier."
    case .hardlyHeardInBackground(let model, let discovery):
      "\(model.name): \(discovery.description)"
    case .notPaired(let model):
      "\(model.name) is read only once it is paired. Pair it."
    }
  }
}

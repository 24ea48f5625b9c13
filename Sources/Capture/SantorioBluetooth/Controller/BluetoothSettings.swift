// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
public import SantorioCore

/// What can be changed for tests and for special hosts.
public struct BluetoothSettings: @unchecked Sendable {
  // Unchecked for the notification center alone: it may be used from any thread, but SDKs before
  // iOS 17 do not declare it so.
  /// The clock for time-outs; time in which the process is suspended does not count.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// What keeps the system from suspending the process while a device is read.
  public var backgroundTime = BackgroundTime.system
  /// Where the system posts that the app enters the background and the foreground.
  package var notificationCenter = NotificationCenter.default
  /// The time of day.
  public var now: @Sendable () -> Date = { Date() }
  /// The time zone in which devices keep their local time.
  public var timeZone: @Sendable () -> TimeZone = { .autoupdatingCurrent }

  /// How far the clocks of devices are believed.
  public var clockPolicy = ClockPolicy()
  /// The weakest signal, in dBm, with which a device that advertises is taken; any when nil.
  ///
  /// A device at arm's length is heard with some -60 dBm, one in the next room with -80. Devices
  /// that are connected without a scan, and those whose signal the system does not report, are
  /// taken all the same.
  public var minimumRSSI: Int?

  /// Who is measured, for scales that compute with age, sex and height.
  public var user: DeviceUser?
  /// Whether the readings of all users of a device, and those of which it does not know whose they
  /// are, are taken for this user's.
  ///
  /// Else, those of a device that has shown several users are held back until somebody decides,
  /// unless it was said which of them this user is, see ``BluetoothReceiver/setUserSlot(_:of:)``; and
  /// so are those of unknown users.
  public var takesEveryUser = false
  /// Whether all readings are held back: who has opened the session decides whose they are.
  ///
  /// For a device of several users, each of whom has a session of their own.
  package var holdsEveryReading = false
  /// Names those of some readings of a device that were taken in other sessions; they are not taken here.
  package var takenForOthers: (@Sendable ([String], UUID) async -> Set<String>)?
  /// Whether a pairing takes a device over that was paired for another user of the session's
  /// folder, with all that it has in its memory; else it fails with
  /// ``BluetoothError/Code/enrolledForAnother``.
  public var takesDevicesOver = false
  /// Where keys and passwords of devices are kept; the session's store when nil.
  public var credentials: (any CredentialStoring)?

  /// Where files of keys and licences are; the root of the app's bundle if nothing else is said.
  public var keyFolder: URL = Bundle.main.resourceURL ?? Bundle.main.bundleURL
  /// The devices that can be paired and read; an app registers its own here.
  public var catalogue = DeviceCatalogue.standard

  /// The settings for a phone or a gateway.
  public init() {}
}

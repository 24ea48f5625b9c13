// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The state of a hub and of everything that it looks after; health values are only in decisions.
package struct HubStatus: Hashable, Sendable {
  /// The hub's name.
  package var name: String
  /// The version of its program.
  package var version: String
  /// When it was started.
  package var since: Date
  /// When this was true.
  package var at: Date
  /// Whether devices are read.
  package var reading: Reading
  /// The Bluetooth adapter.
  package var adapter: Part
  /// The connection to the broker; nil without one.
  package var mqtt: Part?
  /// The patients, in the order of the configuration.
  package var patients: [Patient]
  /// The devices in range that are nobody's, the strongest signal first.
  package var unknown: [UnknownDevice]

  package init(
    name: String, version: String, since: Date, at: Date, reading: Reading = .on, adapter: Part,
    mqtt: Part? = nil, patients: [Patient] = [], unknown: [UnknownDevice] = []
  ) {
    self.name = name
    self.version = version
    self.since = since
    self.at = at
    self.reading = reading
    self.adapter = adapter
    self.mqtt = mqtt
    self.patients = patients
    self.unknown = unknown
  }

  /// Whether devices are read.
  package enum Reading: Hashable, Sendable {
    /// They are.
    case on
    /// They are not, until then; nil for until further notice.
    case paused(until: Date?)
  }

  /// A part of the hub that works or does not.
  package struct Part: Hashable, Sendable {
    /// Whether it works.
    package var works: Bool
    /// What it is, or why it does not work: "hci0", "powered off".
    package var text: String

    package init(works: Bool, _ text: String) {
      self.works = works
      self.text = text
    }
  }

  /// A patient's queue and devices.
  package struct Patient: Hashable, Sendable {
    /// The patient's name on this hub.
    package var alias: String
    /// How many records wait for the server.
    package var queued: Int
    /// When the one was stored that has waited longest; nil for none.
    package var oldest: Date?
    /// How many records are held back, since it is not known whose they are.
    package var held: Int
    /// Those of them for which somebody has to decide whose they are, the first ones.
    package var decisions: [Decision] = []
    /// The number of readings from before their device was the patient's, which are set aside.
    package var older = 0
    /// How many records the server has refused for good.
    package var rejected: Int
    /// What the upload is doing.
    package var upload: Part
    /// The exports of the patient's iPhone; nil without a folder for them.
    package var healthExports: HealthExports?
    /// The devices, in the order of the configuration.
    package var devices: [Device]

    /// The alias under which devices of several patients are listed, which no patient can have.
    package static let shared = "(shared)"

    /// Whether it is no patient's, but that of devices of several patients.
    package var isShared: Bool { alias == Self.shared }

    package init(
      alias: String, queued: Int = 0, oldest: Date? = nil, held: Int = 0, rejected: Int = 0,
      upload: Part, healthExports: HealthExports? = nil, devices: [Device] = []
    ) {
      self.alias = alias
      self.queued = queued
      self.oldest = oldest
      self.held = held
      self.rejected = rejected
      self.upload = upload
      self.healthExports = healthExports
      self.devices = devices
    }
  }

  /// What has become of exports of a patient's iPhone; without their names.
  package struct HealthExports: Hashable, Sendable {
    /// How many of those in the folder were taken.
    package var taken: Int
    /// How many records were made of them, and of those before.
    package var records: Int
    /// When the last one was.
    package var last: Date?
    /// Whether all were, or why not and what to do.
    package var part: Part

    package init(taken: Int, records: Int, last: Date? = nil, part: Part) {
      (self.taken, self.records, self.last, self.part) = (taken, records, last, part)
    }
  }

  /// How many readings are listed for which somebody has to decide.
  package static let mostDecisions = 20

  /// A reading for which somebody has to decide whose it is.
  package struct Decision: Hashable, Sendable {
    /// The record's identifier.
    package var record: String
    /// The name of the device's model.
    package var device: String
    /// The identifier that the machine assigned to the device; nil where several may have sent it.
    package var identifier: UUID?
    /// The user of the device as it shows the user, or as it sends the user where that is not public;
    /// nil when the reading has none.
    package var slot: Int?
    /// When it was measured.
    package var time: Date
    /// True where no clock says when it was measured: the time is that of receipt, or of a clock that was
    /// not read.
    package var isTimeUnknown = false
    /// The reason why it is not known.
    package var reason: Reason
    /// The values with their units; empty for a client that may only look.
    package var values: [String] = []
    /// The patients whose it may be, the one who had the device first first; empty where that is not known.
    package var candidates: [String] = []

    package init(record: String, device: String, slot: Int?, time: Date, reason: Reason) {
      self.record = record
      self.device = device
      self.slot = slot
      self.time = time
      self.reason = reason
    }

    /// The reason why it is not known whose a reading is.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
      /// The device does not know its user.
      case unknownUser = "unknown_user"
      /// The device has shown several users, and it was not said which one the patient is.
      case severalUsers = "several_users"
      /// It was measured around the time when the device changed hands.
      case aroundChange = "around_change"
      /// It is not known when it was measured, and the device has changed hands, or was enrolled only now.
      case unknownTime = "unknown_time"
      /// The device was enrolled by the patient's code, and no reading of it was confirmed yet.
      case unconfirmed
      /// The device is not the patient's in whose queue it is: the pairing was interrupted.
      case unknownPatient = "unknown_patient"
      /// Several devices of several patients have one serial number.
      case severalDevices = "several_devices"
    }
  }

  /// What a device is doing.
  package enum DeviceState: String, CaseIterable, Hashable, Sendable {
    /// It was not seen since the start.
    case waiting
    /// It is being read.
    case reading
    /// It was read, and will be when it has more.
    case resting
    /// The last attempt was in vain.
    case failing
    /// It has to be paired first.
    case unpaired
  }

  /// A device of a patient.
  package struct Device: Hashable, Sendable {
    /// The identifier that the machine assigned to it.
    package var identifier: UUID
    /// The number of its model; nil while it is not known.
    package var model: Int?
    /// The name of its model; the identifier while it is not known.
    package var name: String
    /// What it is doing.
    package var state: DeviceState
    /// Why, with what to do; nil when there is nothing to say.
    package var reason: String?
    /// When it was last heard.
    package var lastSeen: Date?
    /// When it was last read.
    package var lastRead: Date?
    /// When it is tried next; nil for when it is heard.
    package var nextTry: Date?
    /// The charge of its battery, 0 to 100.
    package var batteryPercent: Int?
    /// How far its clock is ahead, in seconds; negative when it is behind.
    package var clockDrift: Double?

    package init(
      identifier: UUID, model: Int? = nil, name: String, state: DeviceState,
      reason: String? = nil, lastSeen: Date? = nil, lastRead: Date? = nil, nextTry: Date? = nil,
      batteryPercent: Int? = nil, clockDrift: Double? = nil
    ) {
      self.identifier = identifier
      self.model = model
      self.name = name
      self.state = state
      self.reason = reason
      self.lastSeen = lastSeen
      self.lastRead = lastRead
      self.nextTry = nextTry
      self.batteryPercent = batteryPercent
      self.clockDrift = clockDrift
    }
  }

  /// A device in range that is nobody's.
  package struct UnknownDevice: Hashable, Sendable {
    /// The identifier that the machine assigned to it.
    package var identifier: UUID
    /// The number of its model; nil for one that the catalogue does not have.
    package var model: Int?
    /// The name of its model, or the one that it advertises.
    package var name: String
    /// The strength of its signal, in dBm.
    package var signal: Int?
    /// When it was last heard.
    package var lastSeen: Date

    package init(
      identifier: UUID, model: Int? = nil, name: String, signal: Int? = nil, lastSeen: Date
    ) {
      self.identifier = identifier
      self.model = model
      self.name = name
      self.signal = signal
      self.lastSeen = lastSeen
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthDevices
import HealthRecords

extension PassiveReading {
  /// Names a reading, as long as the process lives.
  typealias RunID = Int

  /// What is to be read.
  struct Wanted: Hashable, Sendable {
    /// The entries of the catalogue.
    var models: [DeviceModel]
    /// The devices of these kinds that were used before.
    var known: [Target]
    /// Whether devices are read, too, that were never used before.
    var takesUnknown: Bool
    /// Devices that have filled their share of the queue, and are left alone until it was sent.
    var resting: Set<UUID> = []
  }

  /// A device that was used before.
  struct Target: Hashable, Sendable {
    let id: UUID
    let model: DeviceModel
    /// What is known of the bond; a change of it makes an earlier failure out of date.
    let bond: BondState

    /// Whether a connection to it can be waited for: not if it only broadcasts, and not if it would
    /// refuse us each time it wakes.
    ///
    /// One that is still to be paired leaves its pairing mode when it is connected for anything else.
    var canConnect: Bool {
      model.broadcast == nil && bond != .lost && !(model.requiresPairing && bond == .none)
    }
  }

  /// What happened.
  enum Event: Sendable {
    case wanted(Wanted?)
    case radioChanged(PeripheralOperation.RadioState)
    /// The devices that each pairing and reading asked for by the user may use.
    case interactive([DeviceSelection])
    /// Somebody else has used a device, and has taken readings of it unless nil.
    case used(UUID, DeviceModel, taken: Sending?)
    /// A reading has found its device.
    case found(RunID, DeviceModel, UUID)
    /// A reading is over.
    case ended(RunID, End)
    /// A device advertises.
    case heard(UUID)
    /// The key of a device has changed.
    case secretChanged(UUID)
    /// A deadline may have been reached.
    case timeReached
    /// The process is about to be suspended; only what the system waits for goes on.
    case suspensionNears
  }

  /// How a reading ended.
  struct End: Sendable {
    /// What was read, also before a failure.
    let records: [HealthRecord]
    /// Whether some of that was not read before.
    let hasNews: Bool
    /// Why it failed; nil if it did not.
    let failure: BluetoothError?
    let isCancelled: Bool
  }

  /// What to do.
  enum Action: Hashable, Sendable {
    /// Begin a reading that looks for its device without an end.
    case begin(RunID, Search)
    /// End a reading, unless it has a connection or listens to its device.
    case cancel(RunID)
    /// Begin a scan for services; nil for all devices.
    case listen(services: [String]?)
    case stopListening
  }

  /// Which device a reading looks for.
  enum Search: Hashable, Sendable {
    /// One that is known.
    case device(UUID, DeviceModel)
    /// Whichever advertises first: one of some devices if they are named, and none of others.
    case scan([DeviceModel], only: Set<UUID>?, except: Set<UUID>)
  }

  struct Run: Sendable {
    /// What it scans for; nil for one that waits for a device that is known.
    let search: Search?
    /// That device.
    let target: UUID?
    /// The device that it has found.
    var device: UUID?
    var isCancelled = false
  }

  /// What is known of a device.
  struct Device: Sendable {
    var model: DeviceModel
    var phase = Phase.idle
    /// How often in a row it has failed.
    var failures = 0
    /// Whether its pause was cut short before a suspension.
    var isHurried = false
    /// How often in a row it was read with nothing new while it went on broadcasting.
    var rests = 0
    var lastError: BluetoothError?
    /// When it was heard or connected, by the clock of the deadlines.
    var lastSeen: Duration?
    var lastRead: Duration?
    var sends: Sending

    init(model: DeviceModel) {
      self.model = model
      sends = model.isAskedForMemory ? .withTime : .unknown
    }
  }

  /// Whether a measurement is recognised when the device sends it again.
  enum Sending: Hashable, Sendable {
    case unknown
    case withTime
    /// It gets the time of receipt, and would be another measurement each time.
    case withoutTime

    /// How long one that does not stop broadcasting is left alone; nil until it does.
    var longestQuiet: Duration? {
      switch self {
      case .unknown: PassiveReading.longestRest
      case .withTime: PassiveReading.shortestRest
      case .withoutTime: nil
      }
    }

    init(_ records: [HealthRecord]) {
      self = records.contains { $0.time.origin == .received } ? .withoutTime : .withTime
    }
  }

  enum Phase: Hashable, Sendable {
    /// To be waited for. Next: waiting, reading.
    case idle
    /// A reading of its own waits for the connection. Next: idle, reading.
    case waiting(RunID)
    /// It is being read. Next: quiet, backingOff, idle.
    case reading(RunID)
    /// It was read and may go on broadcasting. Next: idle, resting.
    case quiet(lastHeard: Duration, since: Duration)
    /// It does not stop broadcasting. Next: idle.
    case resting(until: Duration)
    /// It has failed. Next: idle.
    case backingOff(until: Duration)

    var run: RunID? {
      switch self {
      case .waiting(let run), .reading(let run): run
      default: nil
      }
    }

    var isReading: Bool { if case .reading = self { true } else { false } }

    /// Whether it matters although the device is not known: while something is `on`, a pause, too.
    func mustBeKept(_ on: Bool) -> Bool { run != nil || on && self != .idle }

    /// When something is to be decided about it.
    var due: Duration? {
      switch self {
      case .idle, .waiting, .reading: nil
      case .quiet(let lastHeard, _): lastHeard + PassiveReading.silence
      case .resting(let until), .backingOff(let until): until
      }
    }
  }
}

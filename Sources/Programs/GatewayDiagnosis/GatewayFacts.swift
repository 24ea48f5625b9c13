// SPDX-License-Identifier: Apache-2.0

/// What was found on a machine that is to read devices over Bluetooth, not yet judged.
package struct GatewayFacts: Hashable, Sendable {
  /// The system's message bus.
  package var bus = Bus.reachable
  /// The program that owns the adapters.
  package var service = Service()
  /// The adapters that bluetoothd lists.
  package var adapters: [Adapter] = []
  /// Whether a pairing agent, which answers devices' pairing requests, can be registered.
  package var agent = Agent.notQueried
  /// What the kernel shows.
  package var kernel = Kernel()
  /// The radio switches that apply to Bluetooth.
  package var switches: [RadioSwitch] = []
  /// The caller.
  package var caller = Caller()
  /// The folder for readings; nil when none was named.
  package var folder: Folder?
  /// The server for readings; nil when none was named.
  package var server: Server?
  /// Whether a time server sets the system's clock; nil when systemd does not report it.
  package var isClockSynchronised: Bool?

  package init() {}

  /// The system's message bus.
  package enum Bus: Hashable, Sendable {
    case reachable
    /// No connection, and the name of the error.
    case unreachable(String)
  }

  /// bluetoothd.
  package struct Service: Hashable, Sendable {
    /// Where the program is; nil when BlueZ is not installed.
    package var program: String?
    /// The version that the program reports, such as 5.66.
    package var version: String?
    /// The state that systemd reports for `bluetooth.service`; nil without systemd.
    package var unit: Unit?
    package var answer = Answer.notQueried

    package init() {}
  }

  /// What bluetoothd answered when it was asked for its adapters.
  package enum Answer: Hashable, Sendable {
    case notQueried
    case listed
    /// Its name on the bus has no owner.
    case absent
    /// The bus denies the caller access to it.
    case denied
    /// Another error, or no answer in time; the name of the error.
    case failed(String)
  }

  /// The state of a unit, in systemd's terms.
  package struct Unit: Hashable, Sendable {
    /// Whether it exists: `loaded`, `not-found` or `masked`.
    package var load: String
    /// Whether it runs: `active`, `inactive` or `failed`.
    package var active: String

    package init(load: String, active: String) {
      self.load = load
      self.active = active
    }
  }

  /// An adapter as bluetoothd reports it.
  package struct Adapter: Hashable, Sendable {
    /// Such as hci0.
    package var name: String
    package var address: String
    package var isPowered: Bool
    /// Whether it offers GATT, and therefore Low Energy.
    package var hasGATT: Bool
    /// How many more advertisements it can send; nil where it cannot advertise at all.
    package var freeAdvertisements: Int?

    package init(
      name: String, address: String, isPowered: Bool, hasGATT: Bool, freeAdvertisements: Int?
    ) {
      self.name = name
      self.address = address
      self.isPowered = isPowered
      self.hasGATT = hasGATT
      self.freeAdvertisements = freeAdvertisements
    }
  }

  /// Whether bluetoothd accepts an agent.
  package enum Agent: Hashable, Sendable {
    case notQueried
    case accepted
    /// The name of the error.
    case refused(String)
  }

  /// What the kernel shows.
  package struct Kernel: Hashable, Sendable {
    /// Release and version, as uname(2) reports them.
    package var text = ""
    /// Whether it has Bluetooth at all (/sys/class/bluetooth).
    package var hasBluetooth = false
    /// The controllers that a kernel module serves, such as hci0.
    package var controllers: [String] = []
    /// How many USB devices identify as Bluetooth controllers.
    package var usbControllers = 0
    /// The machine's model, where a device tree names it.
    package var board: String?

    package init() {}
  }

  /// A switch of rfkill(8).
  package struct RadioSwitch: Hashable, Sendable {
    package var name: String
    package var isSoftBlocked: Bool
    package var isHardBlocked: Bool

    package init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
      self.name = name
      self.isSoftBlocked = isSoftBlocked
      self.isHardBlocked = isHardBlocked
    }
  }

  /// The user of this process.
  package struct Caller: Hashable, Sendable {
    package var name = ""
    package var isInBluetoothGroup = false

    package init() {}
  }

  /// The folder that readings are to be kept in.
  package struct Folder: Hashable, Sendable {
    package enum State: Hashable, Sendable {
      /// It exists or can be created, with this many bytes free.
      case usable(freeBytes: Int)
      /// Files cannot be written; the system's error message.
      case refused(String)
      /// Users other than its owner may write there.
      case exposed
    }

    package var path: String
    package var state: State
    /// The file of the queue's key, if it is stored beside the queue.
    package var keyBeside: String?

    package init(path: String, state: State, keyBeside: String? = nil) {
      self.path = path
      self.state = state
      self.keyBeside = keyBeside
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What was found on a machine that is to read devices over Bluetooth; nothing of it is judged yet.
package struct GatewayFacts: Hashable, Sendable {
  /// The system's message bus.
  package var bus = Bus.reachable
  /// The program that owns the adapters.
  package var service = Service()
  /// The adapters that bluetoothd lists.
  package var adapters: [Adapter] = []
  /// Whether an agent, which answers what devices ask when they are paired, can be registered.
  package var agent = Agent.notAsked
  /// What the kernel shows.
  package var kernel = Kernel()
  /// The switches for radio transmitters that are about Bluetooth.
  package var switches: [RadioSwitch] = []
  /// Who asks.
  package var caller = Caller()
  /// The folder for readings; nil when none was named.
  package var folder: Folder?
  /// The server for readings; nil when none was named.
  package var server: Server?
  /// Whether the system's clock is kept right by a time server; nil when systemd does not tell.
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
    /// What the program calls its version, as 5.66.
    package var version: String?
    /// What systemd says about `bluetooth.service`; nil when there is no systemd to ask.
    package var unit: Unit?
    package var answer = Answer.notAsked

    package init() {}
  }

  /// What bluetoothd answered when it was asked for its adapters.
  package enum Answer: Hashable, Sendable {
    case notAsked
    case listed
    /// Nobody owns its name on the bus.
    case absent
    /// The bus does not let the caller speak to it.
    case denied
    /// Another error, or none in time; by its name.
    case failed(String)
  }

  /// The state of a unit in systemd's words.
  package struct Unit: Hashable, Sendable {
    /// Whether it is there, as `loaded`, `not-found` or `masked`.
    package var load: String
    /// Whether it runs, as `active`, `inactive` or `failed`.
    package var active: String

    package init(load: String, active: String) {
      self.load = load
      self.active = active
    }
  }

  /// An adapter as bluetoothd tells it.
  package struct Adapter: Hashable, Sendable {
    /// As hci0.
    package var name: String
    package var address: String
    package var isPowered: Bool
    /// Whether it offers GATT, and so Low Energy.
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

  /// Whether bluetoothd takes an agent.
  package enum Agent: Hashable, Sendable {
    case notAsked
    case accepted
    /// By the name of the error.
    case refused(String)
  }

  /// What the kernel shows.
  package struct Kernel: Hashable, Sendable {
    /// Release and version, as uname(2) tells them.
    package var text = ""
    /// Whether it has Bluetooth at all (/sys/class/bluetooth).
    package var hasBluetooth = false
    /// The controllers that a driver serves, as hci0.
    package var controllers: [String] = []
    /// How many USB devices say that they are Bluetooth controllers.
    package var usbControllers = 0
    /// The machine's model, where a device tree tells it.
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
      /// There, or to be made, with so much room in bytes.
      case usable(freeBytes: Int)
      /// Files cannot be written, in the system's words.
      case refused(String)
      /// Others than its owner may write there.
      case exposed
    }

    package var path: String
    package var state: State
    /// The file of the queue's key, where it lies beside the queue.
    package var keyBeside: String?

    package init(path: String, state: State, keyBeside: String? = nil) {
      self.path = path
      self.state = state
      self.keyBeside = keyBeside
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthRecords

/// What a gateway for several patients is told in its file, see `Documentation/hub.example.json`.
///
/// Secrets are not part of it, only where they are: the value can be compared and printed.
package struct HubConfiguration: Hashable, Sendable {
  /// The gateway's name, by which monitoring and other programs know it.
  package var name: String
  /// The folder of everything that the hub keeps, as an absolute path.
  package var folder: String
  /// The radio with which devices are read.
  package var radio: Radio
  /// What becomes of the times of a device whose clock is wrong.
  package var clock: Clock
  /// After how many hours a device that was not heard is reported as silent.
  package var silentAfter: Int
  /// Where readings are sent; nil when they are only kept.
  package var server: Server?
  /// Where the key of all queues is; nil for a key beside each queue.
  package var queueKey: HubSecret?
  /// Whose readings are taken, in the order of the file.
  package var patients: [Patient]
  /// What the hub does beyond what the file says.
  package var allow: Allowance
  /// Where metrics are served; nil for nowhere.
  package var metrics: Metrics?
  /// The socket on which the command line reaches the hub.
  package var control: Control
  /// The broker that is told of the hub and its devices; nil for none.
  package var mqtt: Broker?
}

extension HubConfiguration {
  /// A radio of the machine.
  package enum Radio: Hashable, Sendable {
    /// An adapter: by its name (hci1) or its address, or else the first.
    case bluez(adapter: String?)
    /// Virtual devices within the process, and the speed of their time relative to real time.
    case simulated(speed: Double)
  }

  /// What becomes of the times of a device whose clock is wrong.
  package enum Clock: String, CaseIterable, Hashable, Sendable {
    /// They are corrected where they can be.
    case corrected
    /// They stay as the device shows them.
    case shown
  }

  /// The interface of a server.
  package enum ServerForm: String, CaseIterable, Hashable, Sendable {
    case ingest, inform, legacy, fhir
  }

  /// A server that all patients' readings are sent to.
  package struct Server: Hashable, Sendable {
    /// Its address.
    package var address: URL
    /// Its interface.
    package var form: ServerForm
    /// The file of the only certificate authorities that are trusted; nil for the system's.
    package var authorities: String?
    /// The SHA-256 of the only keys that are trusted, in base64; empty for any.
    package var pins: [String]
    /// Whether everything may go unencrypted to another machine.
    package var allowsPlainHTTP: Bool
    /// How long a refused token is retried before a session ends, in seconds; nil for ever: readings
    /// wait for a new one.
    package var refusalGrace: Int?
    /// The published form of FHIR.
    package var profile: FHIRProfile
    /// The name of this gateway in FHIR; nil for the hub's own name.
    package var gateway: String?
    /// Who answers for the readings in FHIR, as a reference.
    package var performer: String?
  }

  /// A person whose readings are taken.
  package struct Patient: Hashable, Sendable {
    /// The name of the patient on this hub, in logs, metrics and on the command line.
    package var alias: String
    /// The text of the barcode on the patient's wristband; nil for none.
    package var code: String?
    /// The subfolder of the patient's session.
    package var folder: String
    /// Whose records are sent; nil without a server.
    package var account: Account?
    /// The patient in FHIR, as a reference; nil for `Patient/` and the user.
    package var subject: String?
    /// The encounter of the readings in FHIR, as a reference.
    package var encounter: String?
    /// The patient's devices.
    package var devices: [Device]
    /// Where exports of the patient's iPhone are put; nil for nowhere.
    package var healthExports: HealthExports?
  }

  /// A folder for exports of the iPhone's Health app.
  package struct HealthExports: Hashable, Sendable {
    /// The folder, which the hub only reads.
    package var folder: String
    /// Where the patient lives, for what is summed up by days; nil for the machine's zone.
    package var timeZone: TimeZone?
    /// How many days before the first export was taken its data is read from.
    package var daysBack: Int

    /// The days when the file does not say, and the most.
    package static let usualDaysBack = 30
    package static let mostDaysBack = 179
  }

  /// A user of the server.
  package struct Account: Hashable, Sendable {
    /// The server's identifier of the user.
    package var user: String
    /// The server's identifier of the organisation.
    package var organization: String
    /// Where the user's token is.
    package var token: HubSecret
  }

  /// A device of a patient.
  package struct Device: Hashable, Sendable {
    /// The identifier that this machine assigned to it.
    package var identifier: UUID
    /// Its entry in the catalogue; nil when the file does not say.
    package var model: Int?
    /// What the device calls the patient; nil when it knows one person only.
    package var slot: Int?
    /// True where the patient's are also the readings that the device has measured before.
    package var takesMemory = false
    /// Where the key of a scale is that encrypts its broadcasts.
    package var bindKey: HubSecret?
    /// Where the key of a meter is that encrypts its values.
    package var encryptionKey: HubSecret?
  }

  /// What the hub does beyond what the file says.
  package struct Allowance: Hashable, Sendable {
    /// Whether devices may be enrolled by the command line.
    package var enrolment = true
    /// What becomes of devices in range that are nobody's.
    package var unknownDevices = UnknownDevices.offer
  }

  /// What becomes of devices in range that are nobody's.
  package enum UnknownDevices: String, CaseIterable, Hashable, Sendable {
    /// They are listed, so that they can be enrolled.
    case offer
    /// They are not mentioned.
    case ignore
  }

  /// Where metrics are served.
  package struct Metrics: Hashable, Sendable {
    /// The address, as `IngestServer.ListenAddress` reads it.
    package var listen: String

    /// The address when the file does not say.
    package static let address = "unix:/run/santorio/metrics.sock"
    /// The port of an address that has none of its own.
    package static let port: UInt16 = 9464
  }

  /// The socket on which the command line reaches the hub.
  package struct Control: Hashable, Sendable {
    /// The path of the socket file.
    package var socket: String
    /// The users who may use it, in addition to root and the hub's own, and what they may ask.
    package var users: [UInt32: HubRole]

    /// The path when the file does not say.
    package static let socket = "/run/santorio/hub.sock"
  }

  /// A broker of MQTT.
  package struct Broker: Hashable, Sendable {
    /// Its host.
    package var host: String
    /// Its port.
    package var port: UInt16
    /// Whether the connection is encrypted.
    package var isSecure: Bool
    /// The file of the only certificate authorities that are trusted; nil for the system's.
    package var authorities: String?
    /// The name with which the hub logs in; nil for none.
    package var user: String?
    /// Where its password is.
    package var password: HubSecret?
    /// The first part of the hub's own topics.
    package var topic: String
    /// The first part of the topics by which Home Assistant discovers devices.
    package var discovery: String
    /// The hours for which a value is shown as the present one.
    package var expiresAfter: Int

    /// The hours when the file does not say.
    package static let expiresAfter = 24
  }

  /// The folder of a patient's session.
  ///
  /// - Parameter patient: The patient.
  /// - Returns: The folder, which need not exist.
  package func folder(of patient: Patient) -> URL {
    URL(fileURLWithPath: folder, isDirectory: true)
      .appendingPathComponent(patient.folder, isDirectory: true)
  }

  /// The patients of a device, one unless it tells its users apart.
  ///
  /// - Parameter device: The identifier that this machine assigned to it.
  /// - Returns: The patients, each with what the file says of the device.
  package func owners(of device: UUID) -> [(patient: Patient, device: Device)] {
    patients.flatMap { patient in
      patient.devices.filter { $0.identifier == device }.map { (patient, $0) }
    }
  }
}

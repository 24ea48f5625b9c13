// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A Welch Allyn monitor, which is made by Transtek.
///
/// It authenticates the host by a password, and sends one measurement at a time, which it erases
/// when it is acknowledged.
package struct VirtualTranstekMonitor: VirtualDeviceLogic {
  private static let command = GATTAttribute.transtekCommand
  private static let message = GATTAttribute.transtekMessage
  private static let measurement = GATTAttribute.transtekMeasurement
  private static let challenge = TranstekWord(rawValue: 0xA46C_185E)

  private enum Session {
    /// No host has subscribed. Next: pairing, challenged.
    case silent
    /// The password was sent to the host. Next: challenged.
    case pairing
    /// Waits for the answer. Next: trusted.
    case challenged
    /// Waits for the host to be ready. Next: sent, silent.
    case trusted
    /// A measurement was sent. Next: sent, silent.
    case sent
  }

  private let serialNumber: String
  private let password: TranstekWord
  private var clock: VirtualClock
  private var memory: [[UInt8]]
  private var isPairing = false
  private var session = Session.silent
  private var sentCount = 0

  /// A monitor that keeps some measurements (8A91).
  package init(
    serialNumber: String, password: TranstekWord, memory: [[UInt8]], clock: VirtualClock
  ) {
    self.serialNumber = serialNumber
    self.password = password
    self.memory = memory
    self.clock = clock
  }

  package var isAdvertising: Bool { isPairing || !memory.isEmpty }

  package var services: [VirtualService] {
    [
      VirtualService(
        "7809",
        [
          VirtualCharacteristic("8A81", .write), VirtualCharacteristic("8A82", .indicate),
          VirtualCharacteristic("8A91", .indicate),
        ]),
      .deviceInformation(
        manufacturer: "Welch Allyn", model: "RPM-BP100", serialNumber: serialNumber,
        firmwareRevision: "A2"),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      memory.append(record(number, at: time))
      return []
    case .remember(let records):
      memory += records
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(Self.message): return [.report(.subscribed), begin()]
    case .written(Self.command, let bytes): return received(bytes, at: time)
    case .disconnected(let allArrived):
      defer { (session, isPairing, sentCount) = (.silent, false, 0) }
      return allArrived ? [.report(.transferred(measurements: sentCount))] : []
    case .read, .written: return [.refuse(0x06)]
    case .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func begin() -> VirtualDeviceOutput {
    guard isPairing else { return ask() }
    session = .pairing
    return send(.password(password))
  }

  private mutating func ask() -> VirtualDeviceOutput {
    session = .challenged
    return send(.challenge(Self.challenge))
  }

  private func send(_ message: TranstekMessage) -> VirtualDeviceOutput {
    .send(Self.message, message.payload)
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let command = try? TranstekCommand(payload: bytes) else { return [.refuse(0x0D)] }
    switch (command, session) {
    case (.broadcastID, .pairing): return [ask()]
    case (.response(let word), .challenged):
      guard word == password.response(to: Self.challenge) else { return [.refuse(0x80)] }
      session = .trusted
      return []
    case (.time(let reported), .trusted):
      guard clock.set(reported.dateTime, at: time) else { return [.refuse(0x80)] }
      return [.report(.clockSet)]
    case (.acknowledgement, .trusted): return sendNext()
    case (.acknowledgement, .sent):
      memory.removeFirst()
      sentCount += 1
      return sendNext()
    default: return [.refuse(0x80)]
    }
  }

  private mutating func sendNext() -> [VirtualDeviceOutput] {
    guard let next = memory.first else {
      session = .silent
      return [send(.goodbye)]
    }
    session = .sent
    return [.send(Self.measurement, next)]
  }

  private func record(_ number: Int, at time: DriverTime) -> [UInt8] {
    let values = SimulatedPressure(number)
    guard let shown = try? TranstekTime(clock.time(at: time)) else { return [] }
    return TranstekRecord(
      systolic: UInt16(values.systolic), diastolic: UInt16(values.diastolic),
      pulseRate: UInt16(values.pulseRate), time: shown
    ).payload
  }
}

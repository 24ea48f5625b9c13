// SPDX-License-Identifier: Apache-2.0

import BluetoothKit
import CoreBluetooth
import LibraryTrial

/// Both ends of the library: what the one sends the other receives.
@MainActor
final class Ends: @preconcurrency BKRemotePeerDelegate,
  @preconcurrency BKRemotePeripheralDelegate, @preconcurrency BKPeripheralDelegate,
  @preconcurrency BKCentralDelegate
{
  var received: [Data] = []
  var isReady = false
  var remoteCentral: BKRemoteCentral?
  var disconnects = 0

  func remotePeer(_ remotePeer: BKRemotePeer, didSendArbitraryData data: Data) {
    received.append(data)
  }

  func remotePeripheral(_ remotePeripheral: BKRemotePeripheral, didUpdateName name: String) {}

  func remotePeripheralIsReady(_ remotePeripheral: BKRemotePeripheral) {
    isReady = true
  }

  func peripheral(
    _ peripheral: BKPeripheral, remoteCentralDidConnect remoteCentral: BKRemoteCentral
  ) {
    self.remoteCentral = remoteCentral
    remoteCentral.delegate = self
  }

  func peripheral(
    _ peripheral: BKPeripheral, remoteCentralDidDisconnect remoteCentral: BKRemoteCentral
  ) {
    self.remoteCentral = nil
  }

  func central(_ central: BKCentral, remotePeripheralDidDisconnect remote: BKRemotePeripheral) {
    disconnects += 1
  }
}

// Neither message ends in a packet of its own, nor fits into one.
let question = Data((0..<700).map { UInt8($0 % 241) })
let answer = Data((0..<650).map { UInt8($0 % 239) })

Trial.run { trial in
  let ends = Ends()
  let service = UUID()
  let characteristic = UUID()
  let central = BKCentral()
  central.delegate = ends
  let (peripheral, device) = try trial.onDevice { device in
    let peripheral = BKPeripheral()
    peripheral.delegate = ends
    try peripheral.startWithConfiguration(
      BKPeripheralConfiguration(
        dataServiceUUID: service, dataServiceCharacteristicUUID: characteristic,
        localName: "Kit"))
    return (peripheral, device)
  }
  let remote = try await trial(.scan) {
    try central.startWithConfiguration(
      BKConfiguration(dataServiceUUID: service, dataServiceCharacteristicUUID: characteristic))
    try await trial.expectSoon("available") { central.availability == .available }
    let found = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
      central.scanWithDuration(1, progressHandler: nil) { found, _ in
        continuation.resume(returning: found ?? [])
      }
    }
    try trial.expect(found.map(\.localName), is: ["Kit"])
    return found[0].remotePeripheral
  }
  remote.delegate = ends
  remote.peripheralDelegate = ends
  @MainActor func connect() async throws {
    let error = await withCheckedContinuation { continuation in
      central.connect(5, remotePeripheral: remote) { continuation.resume(returning: $1) }
    }
    if let error { throw error }
    try trial.expect(remote.state, is: .connected)
  }
  @MainActor func subscribed() async throws -> BKRemoteCentral {
    try await trial.expectSoon("subscribed") { ends.isReady && ends.remoteCentral != nil }
    return try trial.require(ends.remoteCentral, "central")
  }
  try await trial(.connect) { try await connect() }
  let remoteCentral = try await trial(.discover) { try await subscribed() }
  try await trial(.write) {
    central.sendData(question, toRemotePeer: remote, completionHandler: nil)
    try await trial.expectSoon("the question") { ends.received == [question] }
  }
  try await trial(.notify) {
    peripheral.sendData(answer, toRemotePeer: remoteCentral, completionHandler: nil)
    try await trial.expectSoon("the answer") { ends.received == [question, answer] }
  }
  try await trial(.disconnect) {
    try central.disconnectRemotePeripheral(remote)
    try await trial.expectSoon("disconnected") {
      ends.disconnects == 1 && ends.remoteCentral == nil && remote.state == .disconnected
    }
  }
  try await trial(.loss) {
    ends.isReady = false
    try await connect()
    _ = try await subscribed()
    device.disconnectAll()
    try await trial.expectSoon("the loss") {
      ends.disconnects == 2 && ends.remoteCentral == nil
    }
  }
}

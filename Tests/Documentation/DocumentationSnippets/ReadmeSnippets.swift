// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioHealthKit

#if os(Linux)
  import CoreBluetoothSimulation
  import HealthKitSimulation
  import SantorioBluetooth
  import VirtualDevices
#endif

private func useInAnApp(
  folder: URL, server: URL, id: String, organization: String, token: String
) async throws {
  let session = SantorioSession(.init(directory: folder, endpoint: server))
  let events = session.events  // before resume(), or events are missed
  let user = SantorioUser(userID: id, organizationID: organization, accessToken: token)
  try await session.start(user)
  session.resume()  // uploads in the background from now on

  let controller = BluetoothPeripheralController(session: session)
  let monitor = DeviceModel.supported(.bloodPressure)[0]  // or DeviceModel(id: 2), an A&D UA-651BLE
  let paired = try await controller.pair(monitor)  // show monitor.pairingInstructions first
  for try await reading in controller.readings(from: monitor) {
    print(reading.value(.systolic) ?? 0)  // already on disk, and being uploaded
  }
  _ = (events, paired)
}

private func handle(
  _ events: SessionEvents, session: SantorioSession, record: HealthRecord, photo: Data
) async throws {
  try await session.submit(record, image: photo)  // the image is sent after its record
  for await event in events {  // repeated after a relaunch until handled
    switch event {
    case .recordSubmitted(let record, let serverID):
      print("stored:", record.logID, serverID ?? "")
    case .recordFailed(let record, let failure):
      print(record.logID, failure)  // see session.quarantinedRecords() and retryQuarantined()
    case .sessionEnded(let ended):
      print("not sent:", ended.unsentRecords.count)  // they are in session.archives()
    default: break  // cases are added over time
    }
  }
}

private func readHealthKit(
  for session: SantorioSession, from first: DateComponents, to last: DateComponents
) async throws {
  let health = HealthKitManager(session: session)
  health.observeCurrentSubscriptions()  // at each launch, before it is over
  try await health.setSubscriptions([.routine, .sleep, .biometrics])  // once; the user may be asked
  for try await progress in health.fetchHistory([.routine, .fitness], from: first, to: last) {
    print(progress.doneDays, "of", progress.totalDays, "days")  // the newest first
  }
}

#if os(Linux)
  private func testHealthKit(
    in folder: URL, for session: SantorioSession, _ sample: HKSample
  ) async throws {
    let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
    let health = HealthKitManager(session: session, store: phone.makeHealthStore())
    try await health.setSubscriptions([.biometrics])
    let watch = SimulatedPhone.source(
      named: "Watch", bundleIdentifier: "com.example.watch", productType: "Watch6,2")
    try phone.save([sample], from: watch)  // becomes a record of the session
  }

  private func testOnLinux() -> BluetoothPeripheralController {
    let air = SimulatedRadioEnvironment(seed: 1)
    let phone = air.makeHost(named: "Phone"), device = air.makeHost(named: "Monitor")
    let monitor = VirtualDevice(.ua651BLE(), managerOptions: device.managerOptions)
    monitor.switchOn()
    let central = BluetoothCentral(managerOptions: phone.managerOptions)
    let controller = BluetoothPeripheralController(on: central)
    return controller
  }
#endif

// SPDX-License-Identifier: Apache-2.0

#if canImport(HealthKitSimulation)
  import Foundation
  import HealthKitSimulation

  private func makePhone(in folder: URL) throws -> HKHealthStore {
    let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
    let store = phone.makeHealthStore()  // for the code under test
    let watch = SimulatedPhone.source(
      named: "Watch", bundleIdentifier: "com.example.watch", productType: "Watch6,2")
    let rate = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 62)
    let sample = HKQuantitySample(
      type: HKQuantityType(.heartRate), quantity: rate, start: phone.now, end: phone.now)
    try phone.save([sample], from: watch)
    return store
  }

  private func permit(on phone: SimulatedPhone) throws {
    phone.answerPermissionRequests { request in
      .init(share: [], read: request.toRead)  // everything may be read, and nothing saved
    }
    try phone.setPermission(for: HKQuantityType(.stepCount), read: false)  // in the settings
  }

  private func lock(
    _ phone: SimulatedPhone, _ samples: [HKSample], _ watch: HKSourceRevision
  ) throws {
    phone.isLocked = true
    try phone.save(samples, from: watch)  // waits: nothing can be read
    phone.isLocked = false
  }

  /// The app of a test.
  private protocol AppUnderTest: Sendable {
    func launched()
  }

  private func deliver(
    _ phone: SimulatedPhone, _ samples: [HKSample], _ watch: HKSourceRevision,
    to app: some AppUnderTest
  ) async throws {
    phone.terminateApp()
    phone.launchApp { app.launched() }  // executes its observer queries, as at each launch
    try phone.save(samples, from: watch)
    await phone.appHasAnswered()
    phone.advance(by: 3600)  // what is delivered hourly comes again
  }

  private func runTasks(on phone: SimulatedPhone) async {
    phone.isCharging = false  // a task that requires external power waits
    phone.sendAppToBackground()
    phone.advance(by: 86_400)
    await phone.appHasAnswered()
    print(phone.endedTasks)  // with what the app has said of them
  }

  private func delete(on phone: SimulatedPhone, since start: Date) throws {
    let today = HKQuery.predicateForSamples(withStart: start, end: nil)
    try phone.delete(HKQuantityType(.heartRate), today)  // as in the Health app
    try phone.condenseWorkouts(endingBefore: start)  // rewrites old workouts
    try phone.forgetDeletions()  // an app that asks only now does not learn of them
  }
#endif

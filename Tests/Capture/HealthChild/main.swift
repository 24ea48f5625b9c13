// SPDX-License-Identifier: Apache-2.0

// Reads the health store of a folder into the session there, and ends as if the power were cut at a
// change of the disk.
//
//   usage: HealthChild FOLDER TIME history|background [CHANGE SEED]
//
// TIME is the phone's, in seconds since 1970. `history` fetches 30 days; `background` subscribes, unless
// an earlier process has, and reads what is new, as a launch by the system does.

import CFaultVFS
import Foundation
import HealthKit
import HealthKitSimulation
import SantorioCore
import SantorioHealthKit

func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let time = Double(arguments[2]),
  let nowhere = URL(string: "http://127.0.0.1:9")
else { exit(64) }
if let change = arguments.dropFirst(3).first.flatMap({ UInt64($0) }) {
  guard fault_vfs_install() == 0 else { exit(70) }
  fault_vfs_cut_power(change, arguments.dropFirst(4).first.flatMap { UInt64($0) } ?? 0, false)
}
let folder = URL(fileURLWithPath: arguments[1])
let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
phone.setTime(Date(timeIntervalSince1970: time))
let session = SantorioSession(
  .init(directory: folder.appendingPathComponent("session"), endpoint: nowhere))
let zone = TimeZone(identifier: "Europe/Rome") ?? .gmt
var settings = HealthKitSettings()
settings.now = { phone.now }
settings.zone = { zone }
settings.pageSize = 40
settings.daysBack = 3
let manager = HealthKitManager(session: session, store: phone.makeHealthStore(), settings: settings)

func day(_ before: Int) -> DateComponents {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = zone
  return calendar.dateComponents(
    [.year, .month, .day], from: phone.now - 86_400 * Double(before))
}

if arguments[3] == "history" {
  let history = manager.fetchHistory(
    Set(HealthKitHistorySet.allCases), from: day(29), to: day(0))
  for try await progress in history { report("DAYS \(progress.doneDays)") }
} else {
  let all = HealthKitSubscriptionSet.allCases.flatMap(\.sampleTypes)
  if try await manager.subscriptions().isEmpty { try await manager.setSubscriptions(Set(all)) }
  let isRead = await manager.fetchLatestData()
  report("READ \(isRead)")
}

// SPDX-License-Identifier: Apache-2.0

// Reads virtual devices into the session of a folder, and kills itself on the way: after some steps
// of the radio, or as if the power were cut at a change of the disk.
//
//   usage: TransferChild FOLDER RECORDS [passively] [radio STEP | disk CHANGE SEED | trace]
//
// It reads a glucose meter, once; `passively` a meter, a monitor and a scale, each when it appears.

import CFaultVFS
import Foundation
import SantorioCore

/// Where it ends itself; nowhere when nil.
enum End {
  case radio(step: Int)
  case disk(change: UInt64, seed: UInt64)

  init?(_ arguments: ArraySlice<String>) {
    let numbers = arguments.dropFirst().compactMap { UInt64($0) }
    switch (arguments.first, numbers.count) {
    case ("radio", 1): self = .radio(step: Int(numbers[0]))
    case ("disk", 2): self = .disk(change: numbers[0], seed: numbers[1])
    default: return nil
    }
  }
}

func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

var arguments = ArraySlice(CommandLine.arguments.dropFirst())
guard let path = arguments.popFirst(), let records = arguments.popFirst().flatMap({ Int($0) })
else { exit(64) }
let isPassive = arguments.first == "passively"
if isPassive { arguments.removeFirst() }
let end = End(arguments)
if arguments.first == "trace" {
  SantorioLogging.shared.setHandler { _, message in report("LOG \(message)") }
  SantorioLogging.shared.isEnabled = true
}
if case .disk(let change, let seed) = end {
  guard fault_vfs_install() == 0 else { exit(70) }
  fault_vfs_cut_power(change, seed, false)
}
guard let nowhere = URL(string: "http://127.0.0.1:9") else { exit(64) }
let folder = URL(fileURLWithPath: path)
let session = SantorioSession(
  .init(directory: folder.appendingPathComponent("session"), endpoint: nowhere))
let last: Int? = if case .radio(let step) = end { step } else { nil }
let bedside = Bedside(records: records)
if isPassive {
  let ward = PassiveBedside(bedside, folder.appendingPathComponent("world"))
  report("STEPS \(await ward.run(session, endingAt: last))")
} else {
  report("STEPS \(await bedside.run(session, endingAt: last))")
}
withExtendedLifetime(bedside) {}

// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation

// One long-lived stream of events in a process of its own, for the endurance tests.
//
//   usage: EnduranceChild STREAM
//
// It prints "ready" and reads commands from standard input:
//
//   run N      lets N events happen; prints "done SECONDS BYTES": the processor time that this process
//              has used for them, and the memory that it holds afterwards

func say(_ line: String) {
  print(line)
  fflush(nil)
}

let streams: [String: () async throws -> any LongStream] = [
  "advertisements-bluez": { try await BlueZAdvertisements() },
  "advertisements-simulated": { try await SimulatedAdvertisements() },
  "health-observers": { try await HealthObservations() },
  "home-assistant": { try await HomeAssistantStates() },
  "queue": { try await QueuedRecords() },
  "server-events": { try await ServerEvents() },
]

guard CommandLine.arguments.count == 2, let make = streams[CommandLine.arguments[1]] else {
  FileHandle.standardError.write(
    Data("usage: EnduranceChild \(streams.keys.sorted().joined(separator: "|"))\n".utf8))
  exit(64)
}
let stream = try await make()
say("ready")
while let line = readLine() {
  let words = line.split(separator: " ")
  guard words.count == 2, words[0] == "run", let count = Int(words[1]) else { exit(64) }
  let start = ProcessUsage.processorSeconds
  try await stream.run(count)
  say("done \(ProcessUsage.processorSeconds - start) \(ProcessUsage.ownBytes)")
}

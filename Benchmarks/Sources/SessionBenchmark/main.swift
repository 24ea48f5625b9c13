// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import Foundation

// What the outbox and the uploader cost, beside what they could cost. Ends with status 1 when a
// gate fails. Arguments: which parts to run, of json, submit, drain, memory; all unless told. Names
// of other benchmarks are passed over.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "serve" where arguments.count == 3:
  try ServerChild.serve(URL(fileURLWithPath: arguments[2]))
case "drain" where arguments.count == 5:
  guard let endpoint = URL(string: arguments[3]), let count = Int(arguments[4]) else { exit(64) }
  try await MemoryBenchmark.drain(URL(fileURLWithPath: arguments[2]), endpoint, count)
default:
  let chosen = arguments.dropFirst()
  func isChosen(_ part: String) -> Bool { chosen.isEmpty || chosen.contains(part) }
  guard ["json", "submit", "drain", "memory"].contains(where: isChosen) else { exit(0) }
  let server = try ServerChild()
  var report = Report()
  if isChosen("json") { try await JSONBenchmark().run(&report) }
  if isChosen("submit") {
    try await SubmitBenchmark(user: try await server.makeUser(), endpoint: server.endpoint)
      .run(&report)
  }
  if isChosen("drain") { try await DrainBenchmark(server: server).run(&report) }
  if isChosen("memory") {
    try await MemoryBenchmark(server: server, count: 1_000_000).run(&report)
  }
  exit(report.failures.isEmpty ? 0 : 1)
}

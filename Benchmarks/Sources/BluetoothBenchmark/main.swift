// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import Foundation

// What the simulated air costs. Ends with status 1 when a gate fails. Arguments: which parts to
// run; there is one, advertisements. Names of other benchmarks are passed over.
let chosen = CommandLine.arguments.dropFirst()
if chosen.isEmpty || chosen.contains("advertisements") {
  var report = Report()
  await AdvertisementBenchmark().run(&report)
  exit(report.failures.isEmpty ? 0 : 1)
}

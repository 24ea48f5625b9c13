// SPDX-License-Identifier: Apache-2.0

import SyntheticHealthExport

private func writeExport(to folder: String) throws -> Int {
  var options = SyntheticHealthExport.Options(size: .days(60), seed: 7)
  options.timeZone = "Europe/Berlin"
  options.faults.duplicateRecords = 0.01
  let truth = try SyntheticHealthExport(options).write(to: folder)
  return truth.dayCount
}

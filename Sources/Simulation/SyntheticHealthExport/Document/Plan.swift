// SPDX-License-Identifier: Apache-2.0

/// How many days an export has, and how frequent the watch's records are in them.
struct Plan {
  typealias Options = SyntheticHealthExport.Options

  let timeline: Timeline
  /// In thousandths.
  let density: Int

  private init(_ options: Options, days: Int, density: Int) throws(SyntheticHealthExportError) {
    guard (1...20_000).contains(days) else {
      throw .option("An export has 1 to 20,000 days, not \(days): choose another size.")
    }
    try Self.check(options, days: days)
    timeline = try Timeline(options, days: days)
    self.density = density
  }

  /// Finds the plan for the size that the options ask for.
  init(_ options: Options) throws(SyntheticHealthExportError) {
    switch options.size {
    case .days(let days): self = try Self(options, days: days, density: 1000)
    case .bytes(let bytes): self = try Self.plan(options, bytes: bytes)
    }
  }

  /// The size of the complete document.
  func measure(_ options: Options) throws(SyntheticHealthExportError) -> Int {
    try Composer(options, self) { _ in }.compose().documentBytes
  }

  private static func check(
    _ options: Options, days: Int
  ) throws(SyntheticHealthExportError) {
    guard (-20_000...60_000).contains(options.lastDay.daysSince1970) else {
      throw .option("The last day \(options.lastDay) is out of range: choose one of 1970 to 2130.")
    }
    guard (0...0.5).contains(options.faults.duplicateRecords) else {
      throw .option("The rate of duplicate records must be 0 to 0.5.")
    }
    if let cut = options.faults.cut, !(0.05...0.99).contains(cut) {
      throw .option("A document can be cut at 0.05 to 0.99 of its length, not at \(cut).")
    }
    let name = options.documentName
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw .option("\"\(name)\" cannot be the name of the document: give a file name.")
    }
    guard let abroad = options.abroad else { return }
    let first = options.lastDay.daysSince1970 - days + 1
    guard abroad.first <= abroad.last, abroad.first.daysSince1970 > first,
      abroad.last < options.lastDay
    else {
      throw .option(
        "The stay abroad must lie between the first day and the last of the \(days) days.")
    }
  }

  // MARK: - Size in bytes

  private static func plan(
    _ options: Options, bytes: Int
  ) throws(SyntheticHealthExportError) -> Self {
    guard (500_000...100_000_000_000).contains(bytes) else {
      throw .option("A document has 500,000 bytes to 100 GB, not \(bytes): choose another size.")
    }
    // The stay abroad does not matter here, and the sample may be too short for it.
    var sample = options
    sample.abroad = nil
    let days = 28
    let measured = try Self(sample, days: days, density: 1000).measure(sample)
    let perDay = max(1, (measured - 10_000) / days)
    guard bytes < days * perDay else {
      return try Self(options, days: (bytes - 10_000 + perDay / 2) / perDay, density: 1000)
    }
    return try sparse(options, bytes: bytes, days: max(1, (bytes - 10_000) / perDay + 1))
  }

  /// A plan for less than a month, in which the density makes up for the part of a day.
  private static func sparse(
    _ options: Options, bytes: Int, days: Int
  ) throws(SyntheticHealthExportError) -> Self {
    var (low, high) = (50, 1000)
    var best = try Self(options, days: days, density: high)
    var error = abs(try best.measure(options) - bytes)
    while high - low > 1, error * 100 > bytes {
      let density = (low + high) / 2
      let plan = try Self(options, days: days, density: density)
      let size = try plan.measure(options)
      if abs(size - bytes) < error { (best, error) = (plan, abs(size - bytes)) }
      if size < bytes { low = density } else { high = density }
    }
    return best
  }
}

// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import TestSupport
import Testing

/// What is read passively in a scene, by the numbers of the devices in the catalogue.
private enum Passive {
  static let meter = 1000
  static let monitor = 22
  static let scale = 31
  /// How many readings each device has; the meter also has what is no reading.
  static let readings = [
    meter: TransferScene.readings + TransferScene.rejected, monitor: 6, scale: 3,
  ]
  static let all = readings.values.reduce(0, +)

  /// How many measurements a device sends at most when some are committed.
  static func mostSent(by device: Int, after committed: [HealthRecord]) -> Int {
    let (count, known) = (readings[device, default: 0], committed.count(of: device))
    return switch device {
    // A scale sends all that it has until it was left in order.
    case scale: count
    // The newest that is known comes again: from a meter, as proof that its memory is the same, and
    // from a monitor that was not told that it is stored.
    default: min(count - known + 1, count)
    }
  }
}

@Suite(.timeLimit(.minutes(60))) struct `Passive reading that is killed` {
  /// How many of the places are tried in the short form.
  private static let sample = cases(few: 5, many: 12)
  /// About as many changes of the disk as there are until all is read.
  private static let changes = 1_000

  @Test func `goes on by itself, wherever the radio stood`() async throws {
    let whole = try await TransferScene(isPassive: true).read()
    let steps = try #require(whole.values(of: "STEPS").first.flatMap { Int($0) })
    let count = isLongForm ? 240 : Self.sample
    for number in 0..<count {
      try await check(killedAt: [["radio", "\(number * steps / count)"]])
    }
  }

  @Test func `goes on by itself, wherever the disk stood`() async throws {
    let count = isLongForm ? 250 : Self.sample
    for number in 0..<count {
      try await check(killedAt: [["disk", "\(1 + number * Self.changes / count)", "\(number)"]])
    }
  }

  @Test func `goes on by itself, however often it is killed`() async throws {
    for seed in 0..<UInt64(isLongForm ? 50 : cases(few: 1, many: 3)) {
      var random = SeededGenerator(seed: seed)
      let ends = (0..<6).map { _ in
        Bool.random(using: &random)
          ? ["radio", "\(Int.random(in: 0..<600, using: &random))"]
          : ["disk", "\(Int.random(in: 1...600, using: &random))", "\(seed)"]
      }
      try await check(killedAt: ends)
    }
  }

  /// Kills one process after the other, and lets the last one read all that is left.
  private func check(killedAt ends: [[String]]) async throws {
    let scene = try await TransferScene(isPassive: true)
    var committed: [HealthRecord] = []
    for end in ends {
      let lines = try await scene.read(endingAt: end)
      let place = "\(end.joined(separator: " ")) of \(ends), after \(committed.count) records"
      let before = committed
      committed = try await scene.pending()
      checkTransfer(lines, after: before, place)
      // What was reported was on disk, and so was all that a device was made to erase.
      #expect(Set(lines.values(of: "READ")).isSubset(of: committed.map(\.logID)), "\(place)")
      let erased = scene.noted().values(of: "erased")
      for device in [Passive.monitor, Passive.scale] {
        let count = erased.count { $0 == "\(device)" }
        #expect(committed.count(of: device) >= count, "\(device): \(place)")
      }
    }
    let lines = try await scene.read()
    let place = "\(ends), after \(committed.count) records"
    checkTransfer(lines, after: committed, place)
    // All that was left of the meter's is transferred.
    let sent = lines.values(of: "SENT").count { $0 == "\(Passive.meter)" }
    #expect(sent == Passive.mostSent(by: Passive.meter, after: committed), "\(place)")
    // Nothing is lost or twice, and it would go on.
    let stored = try await scene.pending()
    for (device, count) in Passive.readings {
      #expect(stored.count(of: device) == count, "\(device): \(place)")
    }
    #expect(Set(stored.map(\.logID)).count == Passive.all, "\(place)")
    #expect(stored.count { $0.kind == .rejected } == TransferScene.rejected, "\(place)")
    #expect(lines.values(of: "KEPT") == ["1000,22,31"], "\(place)")
  }

  /// What a process may not do, wherever it ends.
  private func checkTransfer(
    _ lines: [String], after committed: [HealthRecord], _ place: String
  ) {
    for word in ["FAILED", "FORGOTTEN"] { #expect(lines.values(of: word) == [], "\(place)") }
    let sent = lines.values(of: "SENT")
    for device in Passive.readings.keys {
      let most = Passive.mostSent(by: device, after: committed)
      #expect(sent.count { $0 == "\(device)" } <= most, "\(device): \(place)")
    }
  }
}

extension [HealthRecord] {
  /// How many are of a device.
  fileprivate func count(of device: Int) -> Int {
    count { $0.source.device?.peripheralID == device }
  }
}

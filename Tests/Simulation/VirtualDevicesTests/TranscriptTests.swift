// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@Suite struct `What drivers and devices send each other` {
  /// A review of a change shows which bytes a device gets that it did not get before.
  ///
  /// `UPDATE=1` writes the files anew.
  @Test(arguments: VirtualDeviceModel.all)
  func `is as written down`(model: VirtualDeviceModel) throws {
    try compare(Transcript.folded(try transcript(of: model)), "transcripts", model)
  }

  /// What a driver does when the link is cut, the device falls silent or refuses a request, at each
  /// of the first moments of a connection.
  @Test(arguments: VirtualDeviceModel.all.filter { $0.entry?.broadcast == nil })
  func `is as written down when something goes wrong`(model: VirtualDeviceModel) throws {
    let kinds: [(String, (Int) -> DriverBench.Fault)] = [
      ("cut after values", { .cut(afterValues: $0) }),
      ("silent after values", { .silence(afterValues: $0) }),
      ("refused request", { .refusal(ofRequest: $0) }),
    ]
    var lines: [String] = []
    for purpose in [DriverContext.Purpose.pair, .read] {
      let bench = try bench(model, purpose)
      for (name, fault) in kinds {
        var reactions: [(first: Int, last: Int, lines: [String])] = []
        for number in 0..<8 {
          var bench = bench
          bench.fault = fault(number)
          let result = bench.run()
          #expect(result.actionsAfterEnd == [], "\(purpose), \(name) \(number)")
          guard let reaction = result.linesSinceFault else { break }
          if reactions.last?.lines == reaction {
            reactions[reactions.count - 1].last = number
          } else {
            reactions.append((number, number, reaction))
          }
        }
        for (first, last, reaction) in reactions {
          let numbers = first == last ? "\(first)" : "\(first)...\(last)"
          lines += ["\(purpose), \(name) \(numbers)"] + Transcript.folded(reaction, after: 8)
        }
      }
    }
    try compare(lines + slowReading(of: model), "faults", model)
  }

  /// What comes of a reading in which each value takes long, and when.
  private func slowReading(of model: VirtualDeviceModel) throws -> [String] {
    var bench = try bench(model, .read)
    bench.fault = .slowness(.milliseconds(1900))
    var lines: [String] = []
    for line in bench.run(limit: .seconds(3600)).transcript.lines {
      if line.hasPrefix("@"), lines.last?.hasPrefix("@") == true { lines.removeLast() }
      if ["@", "> deliver", "> finish", "> fail"].contains(where: line.hasPrefix) {
        lines.append(line)
      }
    }
    return ["read, slowly"] + Transcript.folded(lines, after: 12)
  }

  /// A pairing, a reading, and one more.
  private func transcript(of model: VirtualDeviceModel) throws -> [String] {
    var lines = ["advertises \(model.advertisedName): \(model.advertisedServices)"]
    if let broadcast = model.entry?.broadcast {
      var bench = BroadcastBench(broadcast, model)
      bench.secrets = [.bindKey: VirtualDeviceModel.s400Secret]
      for _ in 1...2 { lines += ["listening"] + bench.listen().transcript.lines }
      return lines
    }
    var paired = try bench(model, .pair)
    lines += ["pairing"] + result(of: &paired)
    var bench = try bench(model, .read)
    for _ in 1...2 { lines += ["reading"] + result(of: &bench) }
    return lines
  }

  private func result(of bench: inout DriverBench) -> [String] {
    let result = bench.run()
    #expect(result.actionsAfterEnd == [])
    return result.transcript.lines
  }

  /// A device that is about to be paired, or that was paired if it needs that.
  private func bench(
    _ model: VirtualDeviceModel, _ purpose: DriverContext.Purpose
  ) throws -> DriverBench {
    let entry = try #require(model.entry)
    let user = DeviceUser(
      dateOfBirth: DateComponents(year: 1984, month: 5, day: 9), sex: .female,
      heightCentimeters: 165)
    var bench = DriverBench(
      try #require(entry.driver(for: model)), model.make(VirtualClock()), purpose: .pair,
      user: user, name: model.advertisedName)
    if entry.requiresPairing {
      bench.press(.pairingMode)
      if purpose == .read { _ = bench.run() }
    }
    bench.purpose = purpose
    return bench
  }

  /// Compares lines with those of a file; `UPDATE=1` writes it anew.
  private func compare(_ lines: [String], _ folder: String, _ model: VirtualDeviceModel) throws {
    let name = "Fixtures/\(folder)/\(model.id)"
    if ProcessInfo.processInfo.environment["UPDATE"] != nil {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("\(name).txt")
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let copy = try #require(
      Bundle.module.url(forResource: name, withExtension: "txt"),
      "UPDATE=1 writes the transcript of a new device down.")
    let written = try String(contentsOf: copy, encoding: .utf8).split(separator: "\n")
    let difference = zip(lines, written).enumerated().first { $0.element.0 != $0.element.1 }
    if let (index, (line, expected)) = difference {
      Issue.record("line \(index + 1) is \"\(line)\" and not \"\(expected)\"")
    }
    #expect(lines.count == written.count)
  }
}

extension VirtualDeviceModel {
  fileprivate var entry: DeviceModel? { DeviceModel(id: peripheralID) }
}

extension DeviceModel {
  /// The first driver whose attributes the device has.
  fileprivate func driver(for model: VirtualDeviceModel) -> DriverModel? {
    let services = model.make(VirtualClock()).services
    return drivers.first { driver in
      driver.required.allSatisfy { attribute in
        services.contains { service in
          service.characteristics.contains {
            attribute.matches(service: service.uuid, characteristic: $0.uuid)
          }
        }
      }
    }
  }
}

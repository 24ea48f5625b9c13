// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import CoreBluetooth
import CoreBluetoothSimulation

/// A devices of devices that advertise in real time, and one central that hears all of them.
struct AdvertisementBenchmark {
  private let devices = 200
  private let rounds = 5
  private let roundLength = Duration.seconds(2)

  func run(_ report: inout Report) async {
    report.heading("Advertisements: \(devices) simulated devices, one central, real time")
    report.head(["scan", "callbacks / s", "CPU seconds / s", "CPU µs / callback"])
    // Each device waits 15 ms and a random delay of 0 to 10 ms: 50 packets a second.
    let duplicates = await measure(.milliseconds(15), allowsDuplicates: true)
    report.row(["with duplicates"] + duplicates.cells)
    let once = await measure(.milliseconds(15), allowsDuplicates: false)
    report.row(["each device once"] + once.cells)
    let slow = await measure(.milliseconds(995), allowsDuplicates: true)
    report.row(["with duplicates, one packet a second"] + slow.cells)
    report.gate(
      "10,000 advertisements a second are delivered, within 3 %",
      (9_700...10_300).contains(duplicates.callbacks))
    report.gate("they cost less than 20 % of a core", duplicates.load < 0.20)
    report.gate("a scan without duplicates costs less than 1 % of a core", once.load < 0.01)
  }

  private func measure(_ interval: Duration, allowsDuplicates: Bool) async -> Measurement {
    let devices = SimulatedDevices(devices: devices, interval: interval)
    await devices.scan(allowsDuplicates: allowsDuplicates)
    var costs: [Cost] = []
    var counts: [Double] = []
    for _ in 0..<rounds {
      let before = devices.listener.count
      let cost = await Cost.of { try? await Task.sleep(for: roundLength) }
      costs.append(cost)
      counts.append(Double(devices.listener.count - before) / cost.wall)
    }
    let cost = median(costs)
    return Measurement(callbacks: counts.sorted()[rounds / 2], load: cost.cpu / cost.wall)
  }
}

private struct Measurement {
  /// A second.
  var callbacks: Double
  /// CPU seconds a second.
  var load: Double

  var cells: [String] {
    [
      callbacks.rounded(0), load.rounded(3),
      callbacks > 0 ? (load / callbacks * 1e6).rounded(1) : "-",
    ]
  }
}

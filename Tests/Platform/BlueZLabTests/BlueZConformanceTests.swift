// SPDX-License-Identifier: Apache-2.0

@testable @_spi(Radio) import CoreBluetooth
import RadioConformance
import Testing

extension RadioBench {
  /// Two adapters of the guest, hci0 as the central and hci1 as the peripheral.
  static func blueZ() -> RadioBench {
    let adapters = ["hci0", "hci1"].map { BlueZRadio(adapter: $0) }
    var bench = RadioBench(
      central: adapters[0], peripheral: adapters[1],
      wait: { duration, condition in
        let end = ContinuousClock.now + duration
        while !condition() {
          if ContinuousClock.now >= end { return false }
          await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) {
              continuation.resume()
            }
          }
        }
        return true
      })
    bench.patience = .seconds(20)
    bench.quiet = .milliseconds(1500)
    return bench
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(10)))
struct `The BlueZ radio` {
  @Test(arguments: RadioRule.all)
  func `keeps the contract`(rule: RadioRule) async {
    let bench = RadioBench.blueZ()
    let violations = await rule.violations(on: bench)
    #expect(violations == [])
  }
}

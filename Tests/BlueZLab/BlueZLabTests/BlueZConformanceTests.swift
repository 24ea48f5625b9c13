// SPDX-License-Identifier: Apache-2.0

@testable import CoreBluetooth
import RadioConformance
import SantorioDBus
import Testing

extension RadioBench {
  /// Two adapters of the guest, hci0 as the central and hci1 as the peripheral, which have never
  /// met.
  static func blueZ() async -> RadioBench {
    let hosts = ["hci0", "hci1"].map { BlueZHost.shared(.init(adapter: $0)) }
    for host in hosts { await host.forgetDevices() }
    let radios = hosts.map { BlueZRadio($0) }
    for radio in radios {
      radio.answerPairings { _, question in question == .passkeyEntry ? .reject : .accept }
    }
    var bench = RadioBench(
      central: radios[0], peripheral: radios[1],
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
    bench.timeout = .seconds(20)
    bench.quiet = .milliseconds(1500)
    bench.answersEveryWrite = false
    bench.setPower = { hosts[0].setPower($0) }
    return bench
  }
}

extension BlueZHost {
  /// Makes bluetoothd forget the devices of the adapter, and with them what it has cached.
  fileprivate func forgetDevices() async {
    start()
    let known = queue.sync { devices.compactMap { self.peers?.identifier(of: $0) } }
    for peer in known { _ = await BlueZRadio(self).removeBond(with: peer) }
  }
}

extension BlueZHost {
  /// Switches the adapter, as the system's settings do.
  fileprivate func setPower(_ isOn: Bool) {
    queue.async { [self] in
      guard let adapter else { return }
      connection?.send(
        BlueZ.call(
          adapter, BlueZ.properties, "Set", .string(BlueZ.adapter), .string("Powered"),
          .variant(.boolean(isOn))))
    }
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(10)))
struct `The BlueZ radio` {
  @Test(arguments: RadioRule.all)
  func `keeps the contract`(rule: RadioRule) async {
    let bench = await RadioBench.blueZ()
    let violations = await rule.violations(on: bench)
    #expect(violations == [])
  }
}

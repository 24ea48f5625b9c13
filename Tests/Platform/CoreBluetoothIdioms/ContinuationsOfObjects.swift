// SPDX-License-Identifier: Apache-2.0

// Differs: SDK. The standard library of iOS 16.5 lacks the "sending" parameter.
import CoreBluetooth

@MainActor
final class Scanner {
  private var waiting: CheckedContinuation<CBPeripheral, Never>?

  func first() async -> CBPeripheral {
    await withCheckedContinuation { waiting = $0 }
  }

  func found(_ peripheral: CBPeripheral) {
    waiting?.resume(returning: peripheral)
    print(peripheral.identifier)
  }
}

func use(_ scanner: Scanner) async -> UUID { await scanner.first().identifier }

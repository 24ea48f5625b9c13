// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioBluetooth
import SantorioConcurrency
import ValidicCore

/// Pairs and reads one peripheral at a time.
///
/// Controllers share one radio, so that an app may make one for each operation. An operation keeps its
/// controller alive until its end.
#if canImport(ObjectiveC)
  @objc(VLDBluetoothPeripheralController) @objcMembers
#endif
@MainActor
public final class VLDBluetoothPeripheralController: NSObject {
  private let controller: BluetoothPeripheralController
  /// Who hears of pairings and readings; not kept alive.
  public weak var delegate: (any VLDBluetoothPeripheralControllerDelegate)?

  /// Makes a controller; Bluetooth is not touched before the first operation.
  public override init() {
    let shared = SharedBluetooth.current
    controller = BluetoothPeripheralController(for: shared.receiver, on: shared.central)
    super.init()
  }

  /// Whether a pairing or a reading of this controller is under way.
  public var operationInProgress: Bool { controller.operationInProgress }

  /// Begins to pair a peripheral.
  ///
  /// - Parameter peripheral: What to pair.
  /// - Returns: False when another operation is under way; then nothing happens.
  @discardableResult
  public func pairPeripheral(_ peripheral: VLDBluetoothPeripheral!) -> Bool {
    guard let peripheral else { return false }
    return begin(peripheral, isPairing: true) { _ in
      controller.startPairing(peripheral.deviceModel)
    }
  }

  /// Begins to read from a peripheral.
  ///
  /// - Parameter peripheral: What to read.
  /// - Returns: False when another operation is under way; then nothing happens.
  @discardableResult
  #if canImport(ObjectiveC)
    @objc(readFromPeripheral:)
  #endif
  public func read(from peripheral: VLDBluetoothPeripheral!) -> Bool {
    guard let peripheral else { return false }
    return begin(peripheral, isPairing: false) { bridge in
      controller.startReading(from: peripheral.deviceModel, approvedBy: bridge.approver)
    }
  }

  /// Asks for the end of the operation under way.
  public func cancel() { controller.cancel() }

  private func begin(
    _ peripheral: VLDBluetoothPeripheral, isPairing: Bool, _ start: (DelegateBridge) -> Bool
  ) -> Bool {
    guard !controller.operationInProgress else { return false }
    // An operation keeps the delegate that it began with, and nothing else keeps this one.
    let bridge = DelegateBridge(self, peripheral, isPairing: isPairing)
    controller.delegate = bridge
    return withExtendedLifetime(bridge) { start(bridge) }
  }
}

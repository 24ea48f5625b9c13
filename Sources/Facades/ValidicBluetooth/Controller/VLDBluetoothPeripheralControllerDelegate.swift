// SPDX-License-Identifier: Apache-2.0

#if canImport(ObjectiveC)
  public import Foundation
#endif
public import ValidicCore

#if canImport(ObjectiveC)
  /// Hears of pairings and readings, on the main thread.
  ///
  /// All methods are optional.
  @MainActor @objc(VLDBluetoothPeripheralControllerDelegate)
  public protocol VLDBluetoothPeripheralControllerDelegate: NSObjectProtocol {
    /// A peripheral was paired.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was paired.
    @objc(bluetoothPeripheralController:didPairPeripheral:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didPairPeripheral peripheral: VLDBluetoothPeripheral!
    )

    /// A peripheral was paired; `metadata` names the device.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was paired.
    ///   - metadata: The device.
    @objc(bluetoothPeripheralController:didPairPeripheral:metadata:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didPairPeripheral peripheral: VLDBluetoothPeripheral!,
      metadata: VLDBluetoothOperationMetadata!
    )

    /// A peripheral was not paired.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was to be paired.
    ///   - error: Why, in the domain ``kVLDBluetoothErrorDomain``.
    @objc(bluetoothPeripheralController:didNotPairPeripheral:error:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didNotPairPeripheral peripheral: VLDBluetoothPeripheral!, error: (any Error)!
    )

    /// The device is ready: show the peripheral's reading instructions.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What is read.
    @objc(bluetoothPeripheralController:isReadyToReadFromPeripheral:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      isReadyToReadFrom peripheral: VLDBluetoothPeripheral!
    )

    /// Asks whether readings are to be submitted.
    ///
    /// They are on disk already. When the answer is false, they stay there as declined until the app submits them,
    /// see `VLDSession.submitRecord`. Without this method they are submitted.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - records: The readings.
    ///   - peripheral: What was read.
    /// - Returns: Whether they are to be submitted.
    @objc(bluetoothPeripheralController:shouldSubmitReadings:fromPeripheral:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      shouldSubmitReadings records: [VLDRecord]!, from peripheral: VLDBluetoothPeripheral!
    ) -> Bool

    /// A reading was cancelled.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was read.
    @objc(bluetoothPeripheralController:didCancelReadingForPeripheral:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didCancelReadingFor peripheral: VLDBluetoothPeripheral!
    )

    /// A reading has failed, or there was nothing new.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was read.
    ///   - error: Why, in the domain ``kVLDBluetoothErrorDomain``.
    @objc(bluetoothPeripheralController:readingFailedForPeripheral:error:)
    optional func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      readingFailedFor peripheral: VLDBluetoothPeripheral!, error: (any Error)!
    )
  }
#else
  /// Hears of pairings and readings, on the main thread.
  ///
  /// All methods are optional.
  @MainActor
  public protocol VLDBluetoothPeripheralControllerDelegate: AnyObject {
    /// A peripheral was paired.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was paired.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didPairPeripheral peripheral: VLDBluetoothPeripheral!
    )

    /// A peripheral was paired; `metadata` names the device.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was paired.
    ///   - metadata: The device.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didPairPeripheral peripheral: VLDBluetoothPeripheral!,
      metadata: VLDBluetoothOperationMetadata!
    )

    /// A peripheral was not paired.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was to be paired.
    ///   - error: Why, in the domain ``kVLDBluetoothErrorDomain``.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didNotPairPeripheral peripheral: VLDBluetoothPeripheral!, error: (any Error)!
    )

    /// The device is ready: show the peripheral's reading instructions.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What is read.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      isReadyToReadFrom peripheral: VLDBluetoothPeripheral!
    )

    /// Asks whether readings are to be submitted.
    ///
    /// They are on disk already. When the answer is false, they stay there as declined until the app submits them,
    /// see `VLDSession.submitRecord`. Without this method they are submitted.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - records: The readings.
    ///   - peripheral: What was read.
    /// - Returns: Whether they are to be submitted.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      shouldSubmitReadings records: [VLDRecord]!, from peripheral: VLDBluetoothPeripheral!
    ) -> Bool

    /// A reading was cancelled.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was read.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didCancelReadingFor peripheral: VLDBluetoothPeripheral!
    )

    /// A reading has failed, or there was nothing new.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was read.
    ///   - error: Why, in the domain ``kVLDBluetoothErrorDomain``.
    func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      readingFailedFor peripheral: VLDBluetoothPeripheral!, error: (any Error)!
    )
  }

  extension VLDBluetoothPeripheralControllerDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was paired.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didPairPeripheral peripheral: VLDBluetoothPeripheral!
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was paired.
    ///   - metadata: The device.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didPairPeripheral peripheral: VLDBluetoothPeripheral!,
      metadata: VLDBluetoothOperationMetadata!
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was to be paired.
    ///   - error: Why, in the domain ``kVLDBluetoothErrorDomain``.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didNotPairPeripheral peripheral: VLDBluetoothPeripheral!, error: (any Error)!
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What is read.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      isReadyToReadFrom peripheral: VLDBluetoothPeripheral!
    ) {}

    /// Submits the readings.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - records: The readings.
    ///   - peripheral: What was read.
    /// - Returns: True.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      shouldSubmitReadings records: [VLDRecord]!, from peripheral: VLDBluetoothPeripheral!
    ) -> Bool { true }

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was read.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      didCancelReadingFor peripheral: VLDBluetoothPeripheral!
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - controller: The controller that was asked.
    ///   - peripheral: What was read.
    ///   - error: Why, in the domain ``kVLDBluetoothErrorDomain``.
    public func bluetoothPeripheralController(
      _ controller: VLDBluetoothPeripheralController!,
      readingFailedFor peripheral: VLDBluetoothPeripheral!, error: (any Error)!
    ) {}
  }
#endif

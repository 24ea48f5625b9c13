// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// One Bluetooth adapter of this machine under bluetoothd.
///
/// Managers without options use the first adapter, and pairing asks no questions. To use another
/// adapter, or to answer pairing requests, give the managers the options of this object:
///
/// ```swift
/// let adapter = BlueZAdapter("hci1") { question in
///   question.kind == .confirmation ? .accept : .reject
/// }
/// let central = CBCentralManager(delegate: self, queue: nil, options: adapter.managerOptions)
/// ```
public final class BlueZAdapter: Sendable {
  private let radio: BlueZRadio

  /// An adapter, which need not be present yet.
  ///
  /// - Parameters:
  ///   - name: Its name in bluetoothd, such as `hci1`, or its address, such as
  ///     `00:1A:7D:DA:71:13`; nil takes the first adapter.
  ///   - leavesDefaultAgent: Whether pairings that a peripheral demands in the middle of a request
  ///     are left to the agent of another program, such as a desktop's.
  ///   - answering: Answers when a peripheral pairs. Without it, peripherals that this process is
  ///     connected to may pair if no passkey is needed. One adapter has one closure in a process;
  ///     the last one counts.
  public init(
    _ name: String? = nil, leavesDefaultAgent: Bool = false,
    answering: (@Sendable (PairingQuestion) async -> PairingAnswer)? = nil
  ) {
    radio = BlueZRadio(adapter: name, leavesDefaultAgent: leavesDefaultAgent)
    guard let answering else { return }
    radio.answerPairings { peer, question in
      let asked = PairingQuestion(
        peripheral: peer.identifier, name: peer.name, kind: PairingQuestion.Kind(question))
      return await answering(asked).answer
    }
  }

  /// The options that give a `CBCentralManager` or a `CBPeripheralManager` this adapter.
  public var managerOptions: [String: Any] { [CBManagerOptionRadioKey: radio] }

  /// Makes bluetoothd forget a peripheral, and the bond with it.
  ///
  /// - Returns: Whether it was known.
  @discardableResult
  public func removeBond(with peripheral: UUID) async -> Bool {
    await radio.removeBond(with: peripheral)
  }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
import SantorioBluetooth

/// Pairs a device, and says at each moment what happens and what to do.
@MainActor public final class PairingModel: ViewModel<PairingModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The device.
    public let device: DeviceModel
    /// What happens.
    public internal(set) var step = Step.idle
    /// The device that is paired, and needs its own key before it can be read; nil for none.
    public internal(set) var keyRequest: DeviceKeyRequest?
    /// The number of readings from before the device was paired, which are kept and not sent.
    public internal(set) var olderCount = 0

    /// Said when there are such readings; nil when there are none.
    public var olderMessage: Phrase? {
      olderCount > 0 ? Phrase(.olderReadings, .count(olderCount)) : nil
    }
    /// What a person does to pair the device.
    public var instructions: Phrase {
      device.pairingInstructions.map(Phrase.init(english:)) ?? Phrase(.noPairingNeeded)
    }
    /// Whether a pairing is under way.
    public var isBusy: Bool {
      switch step {
      case .searching, .waiting, .found: true
      default: false
      }
    }
    /// What is said about the step; nil before the beginning.
    public var message: Phrase? {
      switch step {
      case .idle: nil
      case .searching: Phrase(.searchingDevice)
      case .waiting(let reason): reason
      case .found: Phrase(.foundPairing)
      case .paired(_, isProven: true): Phrase(.pairedNow)
      case .paired(_, isProven: false): Phrase(.pairedProvisionally)
      case .cancelled: Phrase(.pairingCancelled)
      case .failed(let problem): problem.text
      }
    }
  }

  /// What happens.
  public enum Step: Hashable, Sendable {
    /// Nothing yet.
    case idle
    /// The device is looked for.
    case searching
    /// The device is wanted, and something else has to end first.
    case waiting(Phrase)
    /// The device was found and is being paired; the system may ask for consent or for a code.
    case found
    /// The device is paired; it is proven once a second connection has used the bond.
    case paired(UUID, isProven: Bool)
    /// The person has cancelled.
    case cancelled
    /// It did not work, and what to do.
    case failed(Problem)
  }

  private let context: CaptureContext
  private var operation: DeviceOperation?
  private var watch: PersonWatch?

  /// A model of the pairing of a device; it begins with ``start(takingMemory:)``.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - context: For whom it is paired.
  public init(_ device: DeviceModel, _ context: CaptureContext) {
    self.context = context
    super.init(State(device: device))
    watch = PersonWatch(context.session) { [weak self] in self?.giveUp() }
  }

  deinit { operation?.cancel() }

  /// Begins to pair; does nothing while a pairing is under way.
  ///
  /// The device is the user's from now on. A reading that it has from before is kept and not sent: another
  /// user may have measured it.
  ///
  /// - Parameter takesMemory: True where all that it has is the user's.
  public func start(takingMemory takesMemory: Bool = false) {
    guard !state.isBusy else { return }
    update { ($0.step, $0.keyRequest, $0.olderCount) = (.searching, nil, 0) }
    let operation = context.central.pair(
      [state.device], only: nil, user: nil, takingMemory: takesMemory, for: context.receiver)
    self.operation = operation
    Task { [weak self] in
      for await event in operation.events {
        guard let self, self.operation === operation else { return }
        heard(event)
      }
    }
  }

  /// Asks for the end; what it came to is shown once the radio has answered.
  public func cancel() { operation?.cancel() }

  /// The screen of the key was closed: it is asked for again only if it is still missing.
  public func keyWasAsked() {
    let request = missingKey(state.keyRequest)
    update { $0.keyRequest = request }
  }

  /// The screen is left: nothing goes on behind it.
  public func leave() { cancel() }

  /// Another person has signed in, for whom nothing is paired yet.
  private func giveUp() {
    guard operation == nil else { return cancel() }
    show(State(device: state.device))
  }

  private func missingKey(_ request: DeviceKeyRequest?) -> DeviceKeyRequest? {
    guard let request, (try? context.receiver.hasSecret(request.key, for: request.id)) != true
    else { return nil }
    return request
  }

  private func heard(_ event: BluetoothEvent) {
    switch event {
    case .found: update { $0.step = .found }
    case .waiting(_, _, let obstacle): update { $0.step = .waiting(Phrase(obstacle)) }
    case .paired(let metadata):
      let request = missingKey(DeviceKeyRequest(metadata.peripheral, metadata.peripheralUUID))
      update {
        $0.step = .paired(metadata.peripheralUUID, isProven: metadata.bond == .verified)
        $0.keyRequest = request
      }
    case .older: update { $0.olderCount += 1 }
    case .ended(let outcome): ended(outcome)
    default: break
    }
  }

  private func ended(_ outcome: BluetoothOutcome) {
    operation = nil
    switch outcome {
    // What breaks off once it is paired shows at the first reading, as it does without.
    case .failed(let error, _) where state.isBusy || error.undoesPairing:
      update { $0.step = .failed(Problem(error, of: state.device)) }
    // One that was paired before the cancellation stays so.
    case .cancelled where state.isBusy: update { $0.step = .cancelled }
    default:
      // Paired; else it has ended without having said so.
      guard state.isBusy else { return }
      update { $0.step = .failed(Problem(.errorPairing, .tryAgain)) }
    }
  }
}

extension PairingModel {
  /// A model of the entry of a device's key.
  ///
  /// - Parameter request: Of which device.
  /// - Returns: The model.
  public func key(_ request: DeviceKeyRequest) -> DeviceKeyModel {
    DeviceKeyModel(request, context.receiver)
  }
}

extension Phrase {
  /// Why a device is not connected yet.
  init(_ obstacle: ConnectionObstacle) {
    self.init(obstacle == .linkSlot ? .tooManyConnections : .waitingForOther)
  }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
public import SantorioBluetooth

/// A device that encrypts what it sends, and whose own key is needed before it can be read.
public struct DeviceKeyRequest: Hashable, Sendable, Identifiable {
  /// What it is.
  public let device: DeviceModel
  /// The system's identifier of the device.
  public let id: UUID
  let key: PeripheralDataKey

  /// Nil for a device without a key of its own.
  init?(_ device: DeviceModel, _ id: UUID) {
    guard let key = PeripheralDataKey(of: device) else { return nil }
    (self.device, self.id, self.key) = (device, id, key)
  }
}

/// Lets a person enter the key of a device.
///
/// What is typed is the view's and no part of the state, so that no log of states has it.
@MainActor public final class DeviceKeyModel: ViewModel<DeviceKeyModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The device.
    public let device: DeviceModel
    /// What is entered, one field each.
    public let fields: [Field]
    /// Whether the key was saved; only a reading shows whether it is the right one.
    public internal(set) var isSaved = false
    /// Why it was not saved; nil when nothing was wrong.
    public internal(set) var problem: Problem?

    /// Where a person finds the key.
    public var explanation: Phrase {
      fields.count > 1
        ? Phrase(.keyOfScale) : Phrase(english: device.pairingInstructions ?? "")
    }
  }

  /// A part of a key.
  public struct Field: Hashable, Sendable, Identifiable {
    /// Its place.
    public let id: Int
    /// What it is, and how many characters it has.
    public let label: Phrase
    /// How many hexadecimal digits it has; blanks, colons and hyphens do not count.
    public let digitCount: Int
  }

  private let request: DeviceKeyRequest
  private let receiver: BluetoothReceiver

  /// A model of the entry of a key.
  ///
  /// - Parameters:
  ///   - request: Of which device.
  ///   - receiver: Keeps the key, for all readings of the device.
  public init(_ request: DeviceKeyRequest, _ receiver: BluetoothReceiver) {
    (self.request, self.receiver) = (request, receiver)
    let labels: [TextKey] = [.keyField, .addressField]
    let fields = zip(request.key.digitCounts, labels).enumerated().map { place, field in
      Field(
        id: place, label: Phrase(field.1, .count(field.0)), digitCount: field.0)
    }
    super.init(State(device: request.device, fields: fields))
  }

  /// Saves the key in the phone's credential store, in place of an earlier one.
  ///
  /// - Parameter texts: What was entered, in the order of ``State/fields``.
  public func save(_ texts: [String]) {
    update { ($0.isSaved, $0.problem) = (false, nil) }
    let entered = texts.map(PeripheralDataKey.digits)
    for field in state.fields {
      let digits = entered.indices.contains(field.id) ? entered[field.id] : ""
      guard Self.isComplete(digits, field) else {
        return update { $0.problem = Problem(Phrase(.keyIncomplete, .phrase(field.label))) }
      }
    }
    do throws(BluetoothError) {
      try receiver.setSecret(entered.joined(separator: " "), request.key, for: request.id)
      update { $0.isSaved = true }
    } catch {
      update { $0.problem = Problem(.keyNotSaved, .tryAgain) }
    }
  }

  private static func isComplete(_ digits: String, _ field: Field) -> Bool {
    digits.count == field.digitCount && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}

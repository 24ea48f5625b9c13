// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthDevices
import HealthGATT
import SantorioCore

/// What an app can store for one device.
public struct PeripheralDataKey: Hashable, Sendable {
  let secret: DeviceSecret
  /// How many bytes it has.
  let count: Int

  /// The key with which a coagulation meter encrypts its values: 32 hexadecimal digits, which its
  /// user finds in the meter's menu.
  public static let encryptionKey = PeripheralDataKey(secret: .encryptionKey, count: 16)

  /// The key with which a Xiaomi scale encrypts its broadcasts, and the scale's address behind it:
  /// 32 and 12 hexadecimal digits, as Xiaomi's account or a tool for it shows them.
  ///
  /// The address stands in it because the key is used with it, and the system does not report it. A
  /// device is known by its identifier once it was paired, or read in vain:
  /// ``BluetoothEvent/found(_:identifier:)``.
  public static let bindKey = PeripheralDataKey(secret: .bindKey, count: 22)
}

extension BluetoothPeripheralController {
  /// Stores something that belongs to one device in the credential store, in place of what was
  /// there.
  ///
  /// It is never logged and never leaves this phone or gateway. Without a session, and without
  /// ``Settings/credentials``, it is kept as long as the controller lives.
  ///
  /// - Parameters:
  ///   - text: What to store: 32 hexadecimal digits for ``PeripheralDataKey/encryptionKey``, 44 for
  ///     ``PeripheralDataKey/bindKey``. Blanks and colons do not count.
  ///   - key: What it is.
  ///   - peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Throws: ``BluetoothError`` of code `notAuthorized` for a text that cannot be a key, and
  ///   `submissionFailure` when the store refuses it.
  public func setSecret(
    _ text: String, _ key: PeripheralDataKey, for peripheralUUID: UUID
  ) throws(BluetoothError) {
    let digits = text.filter { !$0.isWhitespace && $0 != ":" }
    let isComplete = digits.count == 2 * key.count
    guard isComplete, let bytes = [UInt8](hexadecimal: digits) else {
      throw BluetoothError(
        .notAuthorized,
        "The key has \(2 * key.count) hexadecimal digits (0 to 9, A to F); this text has "
          + "\(digits.count) characters" + (isComplete ? ", and others among them." : "."))
    }
    do throws(SessionError) {
      try deviceStates.keep(bytes, as: key.secret, of: peripheralUUID)
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Removes what was stored for a device; does nothing when there is nothing.
  ///
  /// - Parameters:
  ///   - key: What it is.
  ///   - peripheralUUID: The device.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when the store refuses.
  public func removeSecret(
    _ key: PeripheralDataKey, for peripheralUUID: UUID
  ) throws(BluetoothError) {
    do throws(SessionError) {
      try deviceStates.keep(nil, as: key.secret, of: peripheralUUID)
    } catch {
      throw BluetoothError(storing: error)
    }
  }
}

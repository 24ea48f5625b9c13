// SPDX-License-Identifier: Apache-2.0

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

extension PeripheralDataKey {
  /// The bytes of a key's text.
  func bytes(of text: String) throws(BluetoothError) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace && $0 != ":" }
    let isComplete = digits.count == 2 * count
    guard isComplete, let bytes = [UInt8](hexadecimal: digits) else {
      throw BluetoothError(
        .notAuthorized,
        "The key has \(2 * count) hexadecimal digits (0 to 9, A to F); this text has "
          + "\(digits.count) characters" + (isComplete ? ", and others among them." : "."))
    }
    return bytes
  }
}

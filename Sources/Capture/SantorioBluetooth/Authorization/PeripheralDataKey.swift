// SPDX-License-Identifier: Apache-2.0

public import HealthDevices
import HealthGATT
import SantorioCore

/// What an app can store for one device.
public struct PeripheralDataKey: Hashable, Sendable {
  let secret: DeviceSecret
  /// How many bytes its parts have, which stand one behind the other.
  let counts: [Int]

  /// The key with which a coagulation meter encrypts its values: 32 hexadecimal digits, which its
  /// user finds in the meter's menu.
  public static let encryptionKey = PeripheralDataKey(secret: .encryptionKey, counts: [16])

  /// The key with which a Xiaomi scale encrypts its broadcasts, and the scale's address behind it:
  /// 32 and 12 hexadecimal digits, as Xiaomi's account or a tool for it shows them.
  ///
  /// The address stands in it because the key is used with it, and the system does not report it. A
  /// device is known by its identifier once it was paired, or read in vain:
  /// ``BluetoothEvent/found(_:identifier:)``.
  public static let bindKey = PeripheralDataKey(secret: .bindKey, counts: [16, 6])
}

extension PeripheralDataKey {
  /// The key that the user of a device has to enter before it can be read.
  ///
  /// - Parameter model: The device. Nil comes out for one that has no such key.
  public init?(of model: DeviceModel) {
    let all = [Self.encryptionKey, .bindKey]
    guard let known = all.first(where: { $0.secret == model.userKey }) else { return nil }
    self = known
  }

  /// How many hexadecimal digits its parts have, in the order in which they are entered: one part,
  /// or the key and the address behind it.
  public var digitCounts: [Int] { counts.map { 2 * $0 } }

  /// A text as a key is entered, without what does not count in it: blanks, colons, the hyphens of an
  /// address, and marks that nobody sees in what was copied.
  package static func digits(of text: String) -> String {
    let ignored: Set<Unicode.GeneralCategory> = [.dashPunctuation, .format]
    let scalars = text.unicodeScalars.filter { scalar in
      !scalar.properties.isWhitespace && scalar != ":"
        && !ignored.contains(scalar.properties.generalCategory)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The bytes of a key's text.
  func bytes(of text: String) throws(BluetoothError) -> [UInt8] {
    let digits = Self.digits(of: text)
    let count = digitCounts.reduce(0, +)
    let isComplete = digits.count == count
    guard isComplete, let bytes = [UInt8](hexadecimal: digits) else {
      throw BluetoothError(
        .notAuthorized,
        "The key has \(count) hexadecimal digits (0 to 9, A to F); this text has "
          + "\(digits.count) characters" + (isComplete ? ", and others among them." : "."))
    }
    return bytes
  }
}

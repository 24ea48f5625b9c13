// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// What only the manufacturer of a device can supply: how it recognises a receiver and how its
/// values are read.
///
/// Some manufacturers give their protocol to licensees only. What surrounds it (keys and licences,
/// where they are kept, in which order things happen, what is told when something is missing) is in
/// this package; the cryptography is not, and is plugged in by a licensee, see
/// `BluetoothPeripheralController.Settings.cryptography`.
///
/// The calls are made for one connection after the other, never at the same time, and must not wait
/// for anything. What they throw is told to the app as it is, so the text must not hold a key or a
/// value.
public protocol VendorCryptography: Sendable {
  /// Checks a licence.
  ///
  /// - Parameter license: The bytes of the licence file.
  /// - Throws: Why it does not hold.
  func validate(license: [UInt8]) throws

  /// Answers a device that asks who the receiver is.
  ///
  /// - Parameters:
  ///   - challenge: What the device sent; empty for one that sends nothing.
  ///   - key: The key of the key file, or of the device.
  /// - Returns: The bytes to write.
  /// - Throws: Why there is no answer.
  func response(to challenge: [UInt8], key: [UInt8]) throws -> [UInt8]

  /// Makes the clear text of a measurement.
  ///
  /// - Parameters:
  ///   - frame: What the device sent.
  ///   - key: The key of the device.
  /// - Returns: The bytes of the measurement.
  /// - Throws: Why it cannot be read: another key, or damage.
  func open(_ frame: [UInt8], key: [UInt8]) throws -> [UInt8]
}

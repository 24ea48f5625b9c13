// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// What a TaiDoc device is asked for.
///
/// This is all that is ever sent to a device: the commands that erase its memory (0x52) and inflate
/// the cuff (0x43) are not among it. Source: glucometers-tech/glucometer-protocols, TaiDoc TD-42xx;
/// the user and the oximeter by weliem/LivecareBluetoothSDK.
package enum TaiDocRequest: Hashable, Sendable {
  /// The clock.
  case readClock
  /// Set the clock.
  case setClock(TaiDocDateTime)
  /// The number of the model.
  case readModel
  /// How many records a user has; 0 for a device without users.
  case readRecordCount(user: UInt8)
  /// When a record was taken; the newest has the index 0.
  case readRecordTime(index: UInt16, user: UInt8)
  /// What was measured.
  case readRecordValue(index: UInt16, user: UInt8)
  /// What an oximeter measures now.
  case readCurrentOximetry

  /// The frame that carries the request.
  package var frame: TaiDocFrame {
    switch self {
    case .readClock: TaiDocFrame(.readClock, .request)
    case .setClock(let time): time.frame(.setClock, .request)
    case .readModel: TaiDocFrame(.readModel, .request)
    case .readRecordCount(let user): TaiDocFrame(.readRecordCount, .request, user)
    case .readRecordTime(let index, let user):
      TaiDocFrame(.readRecordTime, .request, index.lowByte, index.highByte, 0, user)
    case .readRecordValue(let index, let user):
      TaiDocFrame(.readRecordValue, .request, index.lowByte, index.highByte, 0, user)
    case .readCurrentOximetry: TaiDocFrame(.readCurrentOximetry, .request)
    }
  }
}

extension UInt16 {
  fileprivate var lowByte: UInt8 { UInt8(truncatingIfNeeded: self) }
  fileprivate var highByte: UInt8 { UInt8(truncatingIfNeeded: self >> 8) }
}

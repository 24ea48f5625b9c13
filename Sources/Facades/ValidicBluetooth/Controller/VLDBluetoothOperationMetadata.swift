// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is known of a device that was paired.
#if canImport(ObjectiveC)
  @objc(VLDBluetoothOperationMetadata) @objcMembers
#endif
public final class VLDBluetoothOperationMetadata: NSObject, Sendable {
  /// The system's identifier of the device, on this phone or gateway.
  public let peripheralUUID: String

  init(peripheralUUID: UUID) {
    self.peripheralUUID = peripheralUUID.uuidString
    super.init()
  }
}

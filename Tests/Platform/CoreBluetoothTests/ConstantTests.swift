// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

/// Numbers of the Bluetooth Core Specification, and those that apps keep in files and send to
/// others.
@Suite struct `Numbers and texts` {
  @Test func `states have their numbers`() {
    #expect(CBManagerState.unknown.rawValue == 0)
    #expect(CBManagerState.resetting.rawValue == 1)
    #expect(CBManagerState.unsupported.rawValue == 2)
    #expect(CBManagerState.unauthorized.rawValue == 3)
    #expect(CBManagerState.poweredOff.rawValue == 4)
    #expect(CBManagerState.poweredOn.rawValue == 5)
    #expect(CBPeripheralState.disconnected.rawValue == 0)
    #expect(CBPeripheralState.connecting.rawValue == 1)
    #expect(CBPeripheralState.connected.rawValue == 2)
    #expect(CBPeripheralState.disconnecting.rawValue == 3)
    #expect(CBManagerAuthorization.notDetermined.rawValue == 0)
    #expect(CBManagerAuthorization.restricted.rawValue == 1)
    #expect(CBManagerAuthorization.denied.rawValue == 2)
    #expect(CBManagerAuthorization.allowedAlways.rawValue == 3)
  }

  @Test func `kinds have their numbers`() {
    #expect(CBCharacteristicWriteType.withResponse.rawValue == 0)
    #expect(CBCharacteristicWriteType.withoutResponse.rawValue == 1)
    #expect(CBConnectionEvent.peerDisconnected.rawValue == 0)
    #expect(CBConnectionEvent.peerConnected.rawValue == 1)
    #expect(CBPeripheralManagerConnectionLatency.low.rawValue == 0)
    #expect(CBPeripheralManagerConnectionLatency.medium.rawValue == 1)
    #expect(CBPeripheralManagerConnectionLatency.high.rawValue == 2)
  }

  @Test(
    arguments: [
      (CBCharacteristicProperties.broadcast, 0x001), (.read, 0x002), (.writeWithoutResponse, 0x004),
      (.write, 0x008), (.notify, 0x010), (.indicate, 0x020), (.authenticatedSignedWrites, 0x040),
      (.extendedProperties, 0x080), (.notifyEncryptionRequired, 0x100),
      (.indicateEncryptionRequired, 0x200),
    ] as [(CBCharacteristicProperties, UInt)])
  func `properties are the bits of the specification`(
    property: CBCharacteristicProperties, bit: UInt
  ) {
    #expect(property.rawValue == bit)
  }

  @Test func `permissions have their bits`() {
    #expect(CBAttributePermissions.readable.rawValue == 1)
    #expect(CBAttributePermissions.writeable.rawValue == 2)
    #expect(CBAttributePermissions.readEncryptionRequired.rawValue == 4)
    #expect(CBAttributePermissions.writeEncryptionRequired.rawValue == 8)
  }

  @Test(arguments: [
    (CBError.Code.unknown, 0), (.invalidParameters, 1), (.invalidHandle, 2), (.notConnected, 3),
    (.outOfSpace, 4), (.operationCancelled, 5), (.connectionTimeout, 6),
    (.peripheralDisconnected, 7), (.uuidNotAllowed, 8), (.alreadyAdvertising, 9),
    (.connectionFailed, 10), (.connectionLimitReached, 11), (.unknownDevice, 12),
    (.operationNotSupported, 13), (.peerRemovedPairingInformation, 14), (.encryptionTimedOut, 15),
    (.tooManyLEPairedDevices, 16),
  ])
  func `errors of the system have their numbers`(code: CBError.Code, number: Int) {
    #expect(code.rawValue == number)
  }

  @Test(arguments: [
    (CBATTError.Code.success, 0x00), (.invalidHandle, 0x01), (.readNotPermitted, 0x02),
    (.writeNotPermitted, 0x03), (.invalidPdu, 0x04), (.insufficientAuthentication, 0x05),
    (.requestNotSupported, 0x06), (.invalidOffset, 0x07), (.insufficientAuthorization, 0x08),
    (.prepareQueueFull, 0x09), (.attributeNotFound, 0x0A), (.attributeNotLong, 0x0B),
    (.insufficientEncryptionKeySize, 0x0C), (.invalidAttributeValueLength, 0x0D),
    (.unlikelyError, 0x0E), (.insufficientEncryption, 0x0F), (.unsupportedGroupType, 0x10),
    (.insufficientResources, 0x11),
  ])
  func `errors of the protocol have the numbers of the specification`(
    code: CBATTError.Code, number: Int
  ) {
    #expect(code.rawValue == number)
  }

  @Test func `keys that libraries write as text have that text`() {
    #expect(CBErrorDomain == "CBErrorDomain")
    #expect(CBATTErrorDomain == "CBATTErrorDomain")
    #expect(CBAdvertisementDataLocalNameKey == "kCBAdvDataLocalName")
    #expect(CBAdvertisementDataManufacturerDataKey == "kCBAdvDataManufacturerData")
    #expect(CBAdvertisementDataServiceDataKey == "kCBAdvDataServiceData")
    #expect(CBAdvertisementDataServiceUUIDsKey == "kCBAdvDataServiceUUIDs")
    #expect(CBAdvertisementDataOverflowServiceUUIDsKey == "kCBAdvDataHashedServiceUUIDs")
    #expect(CBAdvertisementDataSolicitedServiceUUIDsKey == "kCBAdvDataSolicitedServiceUUIDs")
    #expect(CBAdvertisementDataTxPowerLevelKey == "kCBAdvDataTxPowerLevel")
    #expect(CBAdvertisementDataIsConnectable == "kCBAdvDataIsConnectable")
    #expect(CBConnectPeripheralOptionEnableAutoReconnect == "kCBConnectOptionEnableAutoReconnect")
    #expect(CBCentralManagerScanOptionAllowDuplicatesKey == "kCBScanOptionAllowDuplicates")
    #expect(CBCentralManagerOptionShowPowerAlertKey == "kCBInitOptionShowPowerAlert")
  }

  @Test func `descriptors have the numbers of the assigned numbers`() {
    #expect(CBUUIDCharacteristicExtendedPropertiesString == "2900")
    #expect(CBUUIDCharacteristicUserDescriptionString == "2901")
    #expect(CBUUIDClientCharacteristicConfigurationString == "2902")
    #expect(CBUUIDServerCharacteristicConfigurationString == "2903")
    #expect(CBUUIDCharacteristicFormatString == "2904")
    #expect(CBUUIDCharacteristicAggregateFormatString == "2905")
    #expect(CBUUIDCharacteristicValidRangeString == "2906")
    #expect(CBUUIDCharacteristicObservationScheduleString == "2910")
    #expect(CBUUIDL2CAPPSMCharacteristicString == "ABDD3056-28FA-441D-A470-55A75A52553A")
  }
}

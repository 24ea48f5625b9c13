// SPDX-License-Identifier: Apache-2.0

@testable import CoreBluetooth
import Testing

@Suite struct `Characteristic flags of bluetoothd` {
  private func characteristic(
    _ properties: CBCharacteristicProperties, _ permissions: CBAttributePermissions
  ) -> LocalCharacteristic {
    LocalCharacteristic(
      id: 1, uuid: BluetoothUUID(0x2A00), properties: properties, permissions: permissions,
      value: nil, descriptors: [])
  }

  @Test(
    arguments: [
      (.read, .readable, ["read"]),
      (.read, .readEncryptionRequired, ["encrypt-read"]),
      ([.read, .write], [.readable, .writeable], ["read", "write"]),
      (.write, .writeEncryptionRequired, ["encrypt-write"]),
      (.writeWithoutResponse, .writeable, ["write-without-response"]),
      // There is no protected write without response by itself.
      (
        .writeWithoutResponse, .writeEncryptionRequired,
        ["encrypt-write", "write-without-response"]
      ),
      ([.write, .writeWithoutResponse], .writeable, ["write", "write-without-response"]),
      (.authenticatedSignedWrites, .writeable, ["authenticated-signed-writes"]),
      (.notify, .readable, ["notify"]),
      (.indicate, .readable, ["indicate"]),
      ([.notify, .indicate], .readable, ["notify", "indicate"]),
      (.notifyEncryptionRequired, .readable, ["encrypt-notify"]),
      ([.indicate, .indicateEncryptionRequired], .readable, ["encrypt-indicate"]),
      ([], .readable, []),
    ] as [(CBCharacteristicProperties, CBAttributePermissions, [String])])
  func `properties and permissions become flags`(
    properties: CBCharacteristicProperties, permissions: CBAttributePermissions, flags: [String]
  ) {
    #expect(characteristic(properties, permissions).flags == flags)
  }

  @Test(
    arguments: [
      (.read, .readable, true), (.read, .readEncryptionRequired, true), (.read, .writeable, false),
      // bluetoothd would let anybody read this one, without encryption.
      (.notify, .readEncryptionRequired, false), (.notify, .readable, false),
    ] as [(CBCharacteristicProperties, CBAttributePermissions, Bool)])
  func `reading needs the property and the permission`(
    properties: CBCharacteristicProperties, permissions: CBAttributePermissions, isReadable: Bool
  ) {
    #expect(characteristic(properties, permissions).isReadable == isReadable)
  }

  @Test(
    arguments: [
      (.write, .writeable, true), (.writeWithoutResponse, .writeEncryptionRequired, true),
      (.write, .readable, false), (.read, .writeable, false),
    ] as [(CBCharacteristicProperties, CBAttributePermissions, Bool)])
  func `writing needs the property and the permission`(
    properties: CBCharacteristicProperties, permissions: CBAttributePermissions, isWriteable: Bool
  ) {
    #expect(characteristic(properties, permissions).isWriteable == isWriteable)
  }

  @Test(
    arguments: [
      (.indicate, true), (.indicateEncryptionRequired, true), (.notify, false),
      ([.notify, .indicate], false), ([.notifyEncryptionRequired, .indicate], false),
    ] as [(CBCharacteristicProperties, Bool)])
  func `confirmations are certain for indications only`(
    properties: CBCharacteristicProperties, isIndicatedOnly: Bool
  ) {
    #expect(characteristic(properties, .readable).isIndicatedOnly == isIndicatedOnly)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension LocalCharacteristic {
  /// The properties and permissions as bluetoothd's flags (BlueZ 5.66, src/gatt-database.c).
  ///
  /// bluetoothd has no permission without the property. It protects a write without response only
  /// together with the write with response, so that property is added.
  var flags: [String] {
    var flags: [String] = []
    func add(_ flag: String, protected: Bool = false) {
      flags.append(protected ? "encrypt-" + flag : flag)
    }
    let protectsWrites = permissions.contains(.writeEncryptionRequired)
    if properties.contains(.read) {
      add("read", protected: permissions.contains(.readEncryptionRequired))
    }
    if properties.contains(.write) || protectsWrites && !properties.isDisjoint(with: .writable) {
      add("write", protected: protectsWrites)
    }
    if properties.contains(.writeWithoutResponse) { add("write-without-response") }
    if properties.contains(.authenticatedSignedWrites) { add("authenticated-signed-writes") }
    if !properties.isDisjoint(with: [.notify, .notifyEncryptionRequired]) {
      add("notify", protected: properties.contains(.notifyEncryptionRequired))
    }
    if !properties.isDisjoint(with: [.indicate, .indicateEncryptionRequired]) {
      add("indicate", protected: properties.contains(.indicateEncryptionRequired))
    }
    return flags
  }

  /// Whether a client may read; bluetoothd itself permits reads when only other flags are set.
  var isReadable: Bool {
    properties.contains(.read)
      && !permissions.isDisjoint(with: [.readable, .readEncryptionRequired])
  }

  /// Whether a client may write.
  var isWriteable: Bool {
    !properties.isDisjoint(with: .writable)
      && !permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired])
  }

  /// Whether its changes are indicated to every subscriber, so that each is confirmed.
  var isIndicatedOnly: Bool {
    !properties.isDisjoint(with: [.indicate, .indicateEncryptionRequired])
      && properties.isDisjoint(with: [.notify, .notifyEncryptionRequired])
  }
}

extension CBCharacteristicProperties {
  fileprivate static let writable: Self = [
    .write, .writeWithoutResponse, .authenticatedSignedWrites,
  ]
}

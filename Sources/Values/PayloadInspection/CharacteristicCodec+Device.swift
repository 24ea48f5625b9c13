// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let device = [
    CharacteristicCodec("2A19", "Battery Level", BatteryLevel.self),
    CharacteristicCodec("2A23", "System ID", SystemID.self),
    CharacteristicCodec("2A24", "Model Number String", DeviceInformationString.self),
    CharacteristicCodec("2A25", "Serial Number String", DeviceInformationString.self),
    CharacteristicCodec("2A26", "Firmware Revision String", DeviceInformationString.self),
    CharacteristicCodec("2A27", "Hardware Revision String", DeviceInformationString.self),
    CharacteristicCodec("2A28", "Software Revision String", DeviceInformationString.self),
    CharacteristicCodec("2A29", "Manufacturer Name String", DeviceInformationString.self),
    CharacteristicCodec("2A50", "PnP ID", PnPID.self),
  ]
}

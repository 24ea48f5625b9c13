// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What this package knows of one manufacturer's devices; each folder of `Vendors` has one.
package struct Manufacturer: Sendable {
  /// The entries of the catalogue.
  package let devices: [DeviceModel]
  /// Requests that are never sent.
  let forbidden: [ForbiddenCommand]
  /// Payloads that `santorio decode` and the fuzzer decode under a name.
  package let payloads: [VendorPayload]

  init(
    devices: [DeviceModel], forbidden: [ForbiddenCommand] = [], payloads: [VendorPayload] = []
  ) {
    self.devices = devices
    self.forbidden = forbidden
    self.payloads = payloads
  }

  /// All of them; a new folder of `Vendors` adds its name here.
  package static let all: [Manufacturer] = [
    .aAndD, .aet, .agaMatrix, .aoj, .andesFit, .ascensia, .berry, .beurer, .bioland, .chipsea,
    .choiceMMed, .cvsHealth, .etekcity, .exingtech, .guangdongHealth, .icomon, .iSens, .jumper,
    .kinsa,
    .koogeek, .lifeScan, .medisana, .microlife, .nonin, .omron, .oneByone, .pyle, .qn, .qardio,
    .renpho, .roche, .samico, .taiDoc, .transtek, .trividia, .unbranded, .viatom, .xiaomi, .yonker,
    .yunmai,
  ]
}

/// A payload that only one manufacturer sends.
package struct VendorPayload: Sendable {
  /// The name in lower case, for instance `omron-frame`.
  package let id: String
  /// Manufacturer and kind, for instance `Omron memory frame`.
  package let name: String
  /// The type that decodes it.
  package let type: any CharacteristicValue.Type

  init(_ id: String, _ name: String, _ type: any CharacteristicValue.Type) {
    self.id = id
    self.name = name
    self.type = type
  }
}

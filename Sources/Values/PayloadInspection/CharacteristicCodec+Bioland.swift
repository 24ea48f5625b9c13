// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let bioland = [
    CharacteristicCodec("bioland-frame", "Bioland G-500 frame", BiolandFrame.self),
    CharacteristicCodec("bioland-result", "Bioland G-500 result", BiolandResult.self),
  ]
}

// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension MedicalFloat16: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("value", .init(number))] }
}

extension MedicalFloat32: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("value", .init(number))] }
}

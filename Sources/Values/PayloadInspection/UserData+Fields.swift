// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension UserControlPoint: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let opCodeField = DecodedPayload.Field("opcode", .init(opCode.rawValue))
    switch procedure {
    case .registerNewUser(let code):
      return [opCodeField, .init("consent_code", .init(code.rawValue))]
    case .consent(let user, let code):
      return [
        opCodeField, .init("user_index", .init(user.rawValue)),
        .init("consent_code", .init(code.rawValue)),
      ]
    case .deleteUser(let user):
      return [opCodeField, .init("user_index", .init(user.rawValue))]
    case .response(let response):
      return [opCodeField] + response.fields
    case .deleteUserData, .listAllUsers, .unknown:
      return [opCodeField]
    }
  }
}

extension UserControlPoint.Response {
  var fields: [DecodedPayload.Field] {
    [
      .init("request_opcode", .init(requestOpCode.rawValue)),
      .init("response_value", .init(value.rawValue)),
    ] + (registeredUser.map { [.init("user_index", .init($0.rawValue))] } ?? [])
      + [.init("parameter", .text(hexadecimalParameter))]
  }

  private var hexadecimalParameter: String {
    parameter.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension DatabaseChangeIncrement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("increment", .init(count))] }
}

extension DateOfBirth: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init(
        "date_of_birth", .list([year ?? 0, month ?? 0, day ?? 0].map { .integer($0) }))
    ]
  }
}

extension Gender: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("gender", .init(rawValue))] }
}

extension UserHeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("height_cm", .init(centimeters))] }
}

extension UserAge: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("age_years", .init(years))] }
}

extension UserWeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("weight_raw", .init(rawWeight)),
      .init("weight_kg", .number(weight.kilograms)),
    ]
  }
}

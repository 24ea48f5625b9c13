// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension RecordAccessControlPoint: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let digits = payload.dropFirst(2).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
    }
    return [
      .init("opcode", .init(opCode.rawValue)),
      .init("operator", .init(recordOperator.rawValue)),
      .init("operand", .text(digits.joined())),
    ] + operand.fields
  }
}

extension RecordAccessControlPoint.Operand {
  fileprivate var fields: [DecodedPayload.Field] {
    switch self {
    case .empty, .bytes: []
    case .sequenceNumbers(let range):
      range.fields(.sequenceNumber) { .init($0) }
    case .userFacingTimes(let range):
      range.fields(.userFacingTime) { .init($0) }
    case .otherFilter(let type, _): [.init("filter_type", .init(type))]
    case .count(let count): [.init("count", .init(count))]
    case .wideCount(let count): [.init("count", .init(count))]
    case .response(let request, let code):
      [
        .init("request_opcode", .init(request.rawValue)),
        .init("response_code", .init(code.rawValue)),
      ]
    }
  }
}

extension RecordRange {
  fileprivate func fields(
    _ filterType: RecordAccessControlPoint.FilterType,
    _ value: (Bound) -> DecodedPayload.FieldValue
  ) -> [DecodedPayload.Field] {
    let minimum = minimum.map { DecodedPayload.Field("min", value($0)) }
    let maximum = maximum.map { DecodedPayload.Field("max", value($0)) }
    return [.init("filter_type", .init(filterType.rawValue))]
      + [minimum, maximum].compactMap { $0 }
  }
}

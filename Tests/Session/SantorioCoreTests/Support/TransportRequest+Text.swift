// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import SantorioCore

extension TransportRequest {
  /// The request as it goes over the line, without the fields that the transport makes.
  var text: String {
    (["\(method) \(url.absoluteString)"] + headers.map { "\($0.name): \($0.value)" }
      + ["", String(decoding: body ?? [], as: UTF8.self)])
      .joined(separator: "\n")
  }
}

extension OutgoingRecord {
  init(_ logID: String, _ json: String) {
    self.init(logID: logID, informJSON: Array(json.utf8))
  }
}

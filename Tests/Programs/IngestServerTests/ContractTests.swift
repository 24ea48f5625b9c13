// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import IngestServer

@Suite struct `Contract` {
  /// Method and path of each operation in the description, found by its indentation.
  private func described() throws -> Set<String> {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Documentation/ingest-api.yaml").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var operations: Set<String> = []
    var path = ""
    for line in lines {
      if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
      if line == "components:" { break }
      for method in ["get", "post", "put", "patch", "delete"] where line == "    \(method):" {
        operations.insert("\(method.uppercased()) \(path)")
      }
    }
    return operations
  }

  @Test func `describes exactly the routes that the server has`() throws {
    let routes = Routes(now: { .now }, isHealthy: { true }).all

    #expect(try described() == Set(routes.map { "\($0.method) \($0.template)" }))
    #expect(routes.count == 14)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

// A producer or an uploader in a process of its own, for tests that kill it.
let arguments = CommandLine.arguments
guard arguments.count == 5, let endpoint = URL(string: arguments[3]) else { exit(64) }
var configuration = Session.Configuration(
  directory: URL(fileURLWithPath: arguments[2]), endpoint: endpoint)
configuration.idleInterval = .milliseconds(20)
configuration.requestTimeout = .seconds(5)
// Waits of seconds would only make the test longer.
configuration.random = { range in Double.random(in: range) / 100 }
let session = try Session(configuration)

/// Ends the process when its standard input does, so that it never outlives the test.
func endWithInput() {
  Thread {
    while readLine() != nil {}
    exit(0)
  }.start()
}

switch arguments[1] {
case "produce":
  endWithInput()
  try await produce(on: session, name: arguments[4])
case "upload":
  endWithInput()
  try await upload(with: session)
case "fill":
  let words = (readLine() ?? "").split(separator: " ").map(String.init)
  guard words.count == 3 else { exit(64) }
  let user = User(userID: words[0], organizationID: words[1], accessToken: words[2])
  endWithInput()
  try await fill(session, as: user, name: arguments[4])
default: exit(64)
}

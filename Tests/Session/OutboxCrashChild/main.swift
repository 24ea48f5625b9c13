// SPDX-License-Identifier: Apache-2.0

import CFaultVFS
import FaultKit
import Foundation
import SantorioCore

// A part of a session in a process of its own, for tests that kill it, fail its calls, cut its
// power and damage its files. Arguments: the role, the folder, the server's address, and what the
// role wants; the first line of standard input names the user where a role starts a session. The
// process ends when its standard input does.

let arguments = CommandLine.arguments
guard arguments.count >= 5, let server = URL(string: arguments[3]) else { exit(64) }
let folder = URL(fileURLWithPath: arguments[2])

/// Ends the process when its standard input does, so that it never outlives the test.
func endWithInput() {
  Thread {
    while readLine() != nil {}
    exit(0)
  }.start()
}

func number(_ index: Int) -> UInt64 {
  guard index < arguments.count, let number = UInt64(arguments[index]) else { exit(64) }
  return number
}

func readUser() -> SantorioUser {
  let words = (readLine() ?? "").split(separator: " ").map(String.init)
  guard words.count == 3 else { exit(64) }
  return SantorioUser(userID: words[0], organizationID: words[1], accessToken: words[2])
}

switch arguments[1] {
case "produce":
  endWithInput()
  try await produce(on: SantorioSession(hurried(folder, server)), name: arguments[4])
case "deliver":
  endWithInput()
  try await deliver(
    Int(number(5)), to: SantorioSession(hurried(folder, server)), name: arguments[4])
case "upload":
  endWithInput()
  try await upload(with: SantorioSession(hurried(folder, server)))
case "fill":
  let user = readUser()
  endWithInput()
  try await fill(SantorioSession(hurried(folder, server)), as: user, name: arguments[4])
case "power":
  let user = readUser()
  endWithInput()
  await PowerCut(
    folder: folder, server: server, user: user, name: arguments[4], change: number(5),
    seed: number(6), isLying: arguments.last == "lying"
  ).run()
case "calls":
  let user = readUser()
  endWithInput()
  await FailingCalls(folder: folder, server: server, user: user, name: arguments[4])
    .run(cases: number(5), step: number(6), isPersistent: arguments.last == "persistent")
case "damage":
  await Damage(folder: folder, server: server, user: readUser(), name: arguments[4])
    .run(cases: Int(number(5)))
case "rekey":
  endWithInput()
  while true {
    try SantorioSession.changeKey(hurried(folder, server))
    report(["KEY changed"])
  }
case "wait":
  try await waitForConnectivity(hurried(folder, server))
default: exit(64)
}

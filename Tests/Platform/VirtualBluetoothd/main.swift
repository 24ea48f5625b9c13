// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SantorioDBus

// A stand-in for bluetoothd, for tests and measurements of programs over its D-Bus interface.
//
//   usage: VirtualBluetoothd BUS --known N --strangers N
//
// It takes bluetoothd's name on the bus at the address BUS and prints "ready". Known devices are
// paired and silent: an attempt to connect to one fails after 40 seconds. Strangers are no health
// devices and advertise once a second. It reads commands from standard input (see Commands), and
// ends with it.

func number(after option: String) -> Int? {
  let arguments = CommandLine.arguments
  return arguments.firstIndex(of: option).flatMap { index in
    index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
  }
}

guard CommandLine.arguments.count == 6, let known = number(after: "--known"),
  let strangers = number(after: "--strangers")
else {
  FileHandle.standardError.write(
    Data("usage: VirtualBluetoothd BUS --known N --strangers N\n".utf8))
  exit(64)
}

// Not `print`: flushing it waits for the thread that reads standard input.
@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let queue = DispatchQueue(label: "bluetoothd")
let daemon: VirtualDaemon
do {
  daemon = try queue.sync {
    let daemon = try VirtualDaemon(
      bus: .address(CommandLine.arguments[1]), queue: queue, known: known, strangers: strangers)
    try daemon.start { say("ready") }
    return daemon
  }
} catch {
  FileHandle.standardError.write(Data("VirtualBluetoothd: \(error)\n".utf8))
  exit(1)
}

var commands = Commands(daemon: daemon, say: say)
while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  guard queue.sync(execute: { commands.carryOut(words) }) else {
    FileHandle.standardError.write(Data("VirtualBluetoothd: unknown command: \(line)\n".utf8))
    exit(64)
  }
}

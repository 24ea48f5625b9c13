// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import IngestServer
import SantorioBluetooth
import SantorioCore
import Testing
import VirtualDevices

@testable import santorio
import HealthDevices

/// The identifier that the simulated ward's A&D UA-651BLE has for the gateway there.
private func identifierOfMonitor() async throws -> String {
  let run = try await InterruptedProcess(
    ["scan", "--radio", "simulated:20", "--json"], at: .printed(lines: DemoDevices.models.count))
  let lines = try run.output.split(separator: "\n").map { try JSONReader(parsing: $0.utf8) }
  let monitor = try #require(
    try lines.first { try $0.member("name").string().hasPrefix("A&D_UA-651BLE") })
  return try monitor.member("identifier").string()
}

@Suite(.timeLimit(.minutes(15))) struct `Scan command` {
  @Test func `prints found devices as a table`() async throws {
    let run = try await InterruptedProcess(
      ["scan", "--radio", "simulated:20"], at: .printed(lines: DemoDevices.models.count + 1))

    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == DemoDevices.models.count + 1)
    #expect(
      lines[0].wholeMatch(of: /RSSI  NAME +IDENTIFIER +RECOGNISED AS +SERVICES/) != nil)
    let monitor = lines.first { $0.contains("A&D_UA-651BLE_400123") }
    #expect(
      monitor?.wholeMatch(
        of: /\ -\d\d  A&D_UA-651BLE_400123 +[0-9A-F-]{36}  A&D UA-651BLE +Blood Pressure/) != nil)
    #expect(lines.contains { $0.contains("  BM54  ") && $0.contains("  Beurer BM54 family  ") })
    #expect(run.error == "listening; press Ctrl-C to stop\n")
  }

  @Test func `prints a JSON object for each device`() async throws {
    let run = try await InterruptedProcess(
      ["scan", "--radio", "simulated:20", "--json", "--all"],
      at: .printed(lines: DemoDevices.models.count))

    let devices = try run.output.split(separator: "\n").map { try JSONReader(parsing: $0.utf8) }
    #expect(devices.count == DemoDevices.models.count)
    let monitor = try #require(
      try devices.first { try $0.member("name").string() == "A&D_UA-651BLE_400123" })
    #expect(UUID(uuidString: try monitor.member("identifier").string()) != nil)
    #expect(try (-99 ... -20).contains(Int(monitor.member("rssi").number())))
    let service = try #require(try monitor.member("services").elements().first)
    #expect(try service.member("uuid").string() == "1810")
    #expect(try service.member("name").string() == "Blood Pressure")
    #expect(try monitor.member("catalogue").member("id").number() == 2)
    #expect(try monitor.member("catalogue").member("name").string() == "A&D UA-651BLE")
  }

  @Test func `finds only requested services, and reports when it found nothing`() async throws {
    let run = try await CommandProcess([
      "scan", "--radio", "simulated:20", "--seconds", "5", "--service", "1802",
    ])
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.error.contains("no device was found. Is the device on, near"))
  }

  @Test(arguments: [["scan"], ["pair"], ["read", "--any"], ["simulate", "bm54"]])
  func `names the doctor command when there is no Bluetooth`(words: [String]) async throws {
    let run = try await CommandProcess(
      words + ["--radio", "bluez:hci9"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.error == """
        santorio: there is no Bluetooth adapter hci9 that can be used. "santorio doctor" shows \
        what is missing and how to fix it.

        """)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Pair command` {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  @Test func `pairs, prints the identifier, and keeps what the device sends`() async throws {
    let run = try await CommandProcess(["pair", "UA-651BLE", "--radio", "simulated:20"])

    #expect(run.status == 0, "\(run.error)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.contains("systolic blood pressure 125 mmHg") == true)
    #expect(lines.last?.wholeMatch(of: /paired  A&D UA-651BLE  [0-9A-F-]{36}/) != nil)
    #expect(
      run.error.contains("hold the START button of the monitor until the display shows \"Pr\""))
    #expect(run.error.contains("Read it with: santorio read "))
  }

  @Test func `puts readings sent during pairing into the queue`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await CommandProcess([
      "pair", "--radio", "simulated:20", "--data", folder.path, "--with-memory", "A&D UA-651BLE",
    ])
    #expect(run.status == 0, "\(run.error)")

    let queue = try await CommandProcess(["queue", "--data", folder.path])
    #expect(queue.output.contains("of the default user, whose records are not sent"))
    #expect(queue.output.contains("pending     4 records"))
    let list = try await CommandProcess(["queue", "list", "--data", folder.path])
    #expect(list.output.split(separator: "\n").count { $0.contains("rejected ") } == 2)
  }

  @Test func `sends to the server what the device has sent`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("records.sqlite").path, port: 0))
    defer { server.stop() }
    let account = try server.createUser(organization: "clinic", uid: "bed-2")
    let hub = folder.appendingPathComponent("hub").path
    let run = try await CommandProcess(
      [
        "pair", "UA-651BLE", "--with-memory", "--radio", "simulated:20", "--data", hub, "--server",
        "http://127.0.0.1:\(server.port)", "--organization", account.organization, "--user",
        account.id,
      ], environment: ["SANTORIO_TOKEN": account.token])
    #expect(run.status == 0, "\(run.error)")
    let queue = try await CommandProcess(["queue", "--data", hub])
    #expect(queue.output.contains("pending     0 records"), "\(queue.output)")
    let user = SantorioUser(
      userID: account.id, organizationID: account.organization, accessToken: account.token)
    #expect(try await ReadBack(server: server, user: user).records().count == 4)
  }

  @Test func `ends with a question when no device has the name`() async throws {
    for (name, question) in [
      ("UA651BLE", "Did you mean the model \"UA-651BLE\"?"), ("nobody", "Is it on, near, and"),
    ] {
      let run = try await CommandProcess([
        "pair", name, "--seconds", "1", "--radio", "simulated:20",
      ])
      #expect(run.status == 1)
      #expect(run.error.contains("no device was heard whose name begins with \"\(name)\""))
      #expect(run.error.contains(question), "\(run.error)")
    }
  }

  @Test func `pairs only the named device`() async throws {
    let identifier = try await identifierOfMonitor()
    for device in [identifier, "a&d_ua-651ble_400"] {
      let run = try await CommandProcess(["pair", device, "--radio", "simulated:20"])
      #expect(run.output.hasSuffix("paired  A&D UA-651BLE  \(identifier)\n"), "\(run.error)")
    }
  }

  @Test func `releases the device when it is interrupted`() async throws {
    let run = try await InterruptedProcess(
      ["pair", "70B15C5C-0000-0000-0000-000000000000", "--radio", "simulated"],
      at: .said("Ctrl-C"))
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.error.contains("santorio: not paired: interrupted\n"))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Read command` {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  @Test func `prints a device's readings and reports failed measurements`() async throws {
    let begin = Date()
    let run = try await CommandProcess(["read", "--once", "--radio", "simulated:20", "UA-651BLE"])

    #expect(run.status == 0, "\(run.error)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    // The test may run while the morning of the devices changes.
    let days = Set([begin, Date()].map { "\(DemoDevices.morning(before: $0))".prefix(10) })
    #expect(days.contains(lines[0].prefix(10)))
    #expect(lines[0].dropFirst(10).hasPrefix("T05:39:30  A&D Medical UA-651BLE"))
    #expect(lines[1].dropFirst(10).hasPrefix("T06:00:00  A&D Medical UA-651BLE"))
    #expect(run.error.split(separator: "\n").count { $0.hasPrefix("no reading:") } == 2)
  }

  @Test func `reads each named device once and prints JSON records`()
    async throws
  {
    let run = try await CommandProcess([
      "read", "--once", "--json", "--radio", "simulated:20", "bm54", "a&d_ua-651ble",
    ])

    #expect(run.status == 0, "\(run.error)")
    let records = try run.output.split(separator: "\n").map {
      try HealthRecord(informJSON: $0.utf8)
    }
    #expect(records.count == 5)
    #expect(records.count { $0.source.device?.model == "BM54" } == 3)
    #expect(records.count { $0.source.device?.model == "UA-651BLE" } == 2)
  }

  @Test func `keeps readings without a server until a user is named`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = [
      "read", "--once", "--radio", "simulated:20", "--data", folder.path, "--json", "2",
    ]
    let run = try await CommandProcess(arguments)
    #expect(run.status == 0, "\(run.error)")

    let kept = try await CommandProcess(["queue", "export", "--data", folder.path])
    let lines = kept.output.split(separator: "\n")
    let readings = lines.filter { !$0.contains("rejected_reading") }
    #expect(readings == run.output.split(separator: "\n"))
    #expect(readings.count == 2)
    #expect(lines.count == 4)

    let again = try await CommandProcess(arguments + ["--server", "http://127.0.0.1:9"])
    #expect(again.status == 64)
    #expect(
      again.error.contains("has no user to send for; name one with --organization and --user"))
  }

  @Test func `sends readings with a token that is given once`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("records.sqlite").path, port: 0))
    defer { server.stop() }
    let account = try server.createUser(organization: "clinic", uid: "bed-2")
    let hub = folder.appendingPathComponent("hub").path
    let common = [
      "read", "--once", "--radio", "simulated:20", "--data", hub, "--server",
      "http://127.0.0.1:\(server.port)",
    ]
    let user = ["--organization", account.organization, "--user", account.id]

    let missing = try await CommandProcess(common + user + ["2"])
    #expect(missing.status == 64)
    #expect(missing.error.contains("is missing; set SANTORIO_TOKEN in the environment."))

    let first = try await CommandProcess(
      common + user + ["2"], environment: ["SANTORIO_TOKEN": account.token])
    #expect(first.status == 0, "\(first.error)")
    #expect(first.error.split(separator: "\n").count { $0 == "record submitted" } == 4)
    // Two people use the monitor.
    let held = try await CommandProcess(common + ["bm54"])
    #expect(held.error.contains("held: 3 readings of Beurer BM54 family, "), "\(held.error)")
    #expect(held.error.contains(": 2 of its user 1, 1 of its user 2\n"), "\(held.error)")
    #expect(!held.error.contains("has nothing new"), "\(held.error)")
    let list = try await CommandProcess(["queue", "list", "held", "--data", hub])
    #expect(list.output.split(separator: "\n").count { $0.hasSuffix("user 1") } == 2)
    let declined = try await CommandProcess(["queue", "decline", "--slot", "2", "--data", hub])
    #expect(
      declined.output == "decided about 1 records; 2 wait for a decision, 1 declined\n",
      "\(declined.error)")
    let released = try await CommandProcess(["queue", "release", "--slot", "1", "--data", hub])
    #expect(
      released.output == "decided about 2 records; 0 wait for a decision, 1 declined\n",
      "\(released.error)")
    // What was declined is not said to be taken, and is not waited for.
    let declinedAgain = try await CommandProcess(common + ["--slot", "2", "bm54"])
    #expect(declinedAgain.status == 0 && declinedAgain.output.isEmpty, "\(declinedAgain.error)")
    #expect(declinedAgain.error.contains("Beurer BM54 family has nothing new"))
    #expect(!declinedAgain.error.contains("will be sent by the next run"))
    let status = try await CommandProcess(["queue", "--data", hub])
    #expect(status.output.contains("held        1 records, 1 of them declined"))
    let second = try await CommandProcess(common + ["--slot", "1", "bm54"])
    #expect(second.status == 0, "\(second.error)")

    let sent = try await ReadBack(
      server: server,
      user: SantorioUser(
        userID: account.id, organizationID: account.organization, accessToken: account.token)
    ).records()
    let readings = sent.filter { $0.kind != .rejected }
    #expect(readings.count { $0.source.device?.model == "UA-651BLE" } == 2)
    #expect(sent.count { $0.source.device?.model == "UA-651BLE" } == 4)
    #expect(readings.count { $0.source.device?.model == "BM54" } == 2)
    let queue = try await CommandProcess(["queue", "--data", hub])
    #expect(queue.output.contains("pending     0 records"))
  }

  @Test func `reports that the server refuses the user`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("records.sqlite").path, port: 0))
    defer { server.stop() }

    let run = try await CommandProcess(
      [
        "read", "--once", "--radio", "simulated:20", "--data", folder.path + "/hub", "--server",
        "http://127.0.0.1:\(server.port)", "--organization", "clinic", "--user", "nobody",
      ], environment: ["SANTORIO_TOKEN": "wrong"])

    #expect(run.status == 1)
    #expect(run.error.contains("the server does not know the user or the token"))
    #expect(run.output.isEmpty)
  }

  @Test func `reads until it is interrupted, then ends with success`() async throws {
    let run = try await InterruptedProcess(
      ["read", "--any", "--radio", "simulated:20"], at: .said("found "))
    #expect(run.status == 0)
    #expect(run.error.contains("waiting for devices; press Ctrl-C to stop"))
    #expect(run.error.contains("warning: with --any every device in range is read"))
  }

  @Test func `reads only the devices paired for its folder`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let common = ["--radio", "simulated:100", "--data", folder.path]
    let pairing = try await CommandProcess(["pair", "bm54"] + common)
    #expect(pairing.error.contains("It is enrolled"), "\(pairing.error)")

    let run = try await InterruptedProcess(
      ["read", "--every-user"] + common, at: .printed(lines: 3))
    #expect(run.status == 0, "\(run.error)")
    let found = run.error.split(separator: "\n").filter { $0.hasPrefix("found ") }
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("found Beurer BM54") }, "\(found)")
    #expect(!run.error.contains("warning"))
  }

  @Test func `takes of each enrolled device the readings of the user that was said`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = ["--data", folder.path]
    let radio = ["--radio", "simulated:100"]
    let pairing = try await CommandProcess(
      ["pair", "bm54", "--slot", "2", "--with-memory"] + data + radio)
    #expect(pairing.error.contains("This user is its user 2."), "\(pairing.error)")
    let listed = try await CommandProcess(["devices"] + data)
    #expect(listed.output.contains(/Beurer BM54 family +[-0-9A-F]+  user 2\s/), "\(listed.output)")

    let run = try await CommandProcess(["read", "--once", "--json"] + data + radio)
    #expect(run.status == 0, "\(run.error)")
    let kept = try await CommandProcess(["queue", "export"] + data)
    let slots = try kept.output.split(separator: "\n").map {
      try HealthRecord(informJSON: $0.utf8).source.device?.userSlot
    }
    #expect(Set(slots) == [1])

    let changed = try await CommandProcess(["devices", "--slot", "bm54=1", "--json"] + data)
    #expect(changed.output.contains(#""user_slot":0,"user_label":1,"shown_slots":[0,1],"held":1"#))
    let wrong = try await CommandProcess(["devices", "--slot", "bm54=0"] + data)
    #expect(wrong.status == 1 && wrong.error.contains("labels its users from 1"), "\(wrong.error)")
    let forgotten = try await CommandProcess(["devices", "--slot", "bm54=none"] + data)
    #expect(forgotten.output.contains("not said, see --slot"), "\(forgotten.error)")
    let again = try await CommandProcess(["read", "--once"] + data + radio)
    #expect(again.error.contains("held: 3 readings of Beurer BM54 family, "), "\(again.error)")
    #expect(again.error.contains(": 2 of its user 1, 1 of its user 2\n"), "\(again.error)")
  }

  @Test func `explains what to do while no device is enrolled`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for arguments in [["read"], ["read", "--once"]] {
      let run = try await CommandProcess(
        arguments + ["--radio", "simulated:20", "--data", folder.path])
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(run.error.hasSuffix("\(TurnReading.advice)\n"), "\(run.error)")
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Simulate command` {
  @Test func `prints the readings of the device as records`() async throws {
    let run = try await CommandProcess([
      "simulate", "glucose-meter", "--json", "--radio", "simulated:20",
    ])
    #expect(run.status == 0, "\(run.error)")
    let records = try run.output.split(separator: "\n").map {
      try HealthRecord(informJSON: $0.utf8)
    }
    #expect(records.map { $0.metrics.first?.value } == [88, 600, nil, 99.09])
    #expect(records.last?.metrics.first?.shown == ShownValue("5.5", unit: "mmol/L"))
  }

  @Test func `lists the devices`() async throws {
    let run = try await CommandProcess(["simulate", "--list"])
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == VirtualDeviceModel.all.count)
    for (line, model) in zip(lines, VirtualDeviceModel.all) {
      #expect(line.hasPrefix("  \(model.id) ") && line.hasSuffix("  \(model.summary)"))
    }
    #expect(lines.contains { $0.contains(/^  bm54 +Beurer BM54:/) })
  }

  @Test(arguments: VirtualDeviceModel.all.map(\.id))
  func `reads the device back on a simulated radio`(device: String) async throws {
    let model = try #require(VirtualDeviceModel.all.first { $0.id == device })
    let entry = try #require(DeviceModel(id: model.peripheralID))
    let run = try await CommandProcess(["simulate", device, "--radio", "simulated:20"])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.split(separator: "\n").count == model.readingCount)
    #expect(run.error.contains("found \(entry.name), "))
  }

  @Test(arguments: ["xiaomi-s400"])
  func `removes its key files`(device: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await CommandProcess(
      ["simulate", device, "--radio", "simulated:20"], environment: ["TMPDIR": folder.path])
    #expect(run.status == 0, "\(run.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `advertises another name, by which it is not recognised`() async throws {
    let run = try await CommandProcess([
      "simulate", "ua-651ble", "--name", "Room 7", "--radio", "simulated:20",
    ])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error.contains("found Blood pressure monitor, "))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Doctor command` {
  private let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"]

  @Test func `prints what is missing and how to fix it`() async throws {
    let run = try await CommandProcess(["doctor"], environment: nowhere)
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("problem  system bus     The system bus cannot be reached ("))
    #expect(lines[1] == "                        → sudo apt-get install dbus")
    #expect(lines.dropLast().last?.contains("problem") == true)
  }

  @Test func `prints the same as JSON`() async throws {
    let run = try await CommandProcess(
      ["doctor", "--json", "--data", "/proc/nowhere"], environment: nowhere)
    #expect(run.status == 1)
    let report = try JSONReader(parsing: run.output.utf8)
    #expect(try report.member("ok").bool() == false)
    let checks = try report.member("checks").elements()
    #expect(try checks.first?.member("check").string() == "systemBus")
    #expect(try checks.first?.member("verdict").string() == "problem")
    #expect(try checks.first?.member("remedies").elements().isEmpty == false)
    let folder = try checks.first { try $0.member("check").string() == "dataFolder" }
    #expect(try folder?.member("verdict").string() == "problem")
  }
}

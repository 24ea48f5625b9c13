// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import Hub

extension Command {
  static let hub = Command(
    name: "hub",
    summary: "Read devices for several patients, for as long as the machine runs.",
    forms: [
      "[run] [--config FILE]", "check [--config FILE] [--json]", "status [--json]",
      "enroll MODEL|DEVICE --patient ALIAS [--slot N] [--passkey DIGITS] [--yes] [--with-memory]",
      "enroll [MODEL|DEVICE] --code CODE [--slot N] [--passkey DIGITS] [--yes]",
      "release READING ... [--patient ALIAS]", "release --patient ALIAS",
      "forget DEVICE [--patient ALIAS]", "pause [SECONDS]", "resume", "reload", "stop",
    ],
    options: [
      CommandOption(
        "config", "FILE", help: "The hub's configuration; \(HubCommand.file) if not given."),
      CommandOption(
        "socket", "PATH",
        help: "The running hub's socket; the one of its configuration if not given."),
      CommandOption("json", help: "With status and check: print one object for programs."),
      CommandOption("patient", "ALIAS", help: "With enroll, release and forget: whose it is."),
      CommandOption(
        "code", "CODE",
        help:
          "With enroll: whose it is, by the code of the wristband; - reads code and device from standard input."
      ),
      CommandOption(
        "slot", "N", help: "With enroll: what the device calls the patient, as it shows it."),
      CommandOption(
        "passkey", "DIGITS", help: "With enroll: the passkey that the device shows."),
      CommandOption("yes", help: "With enroll: answer the questions of the device by yes."),
      CommandOption(
        "with-memory",
        help:
          "With enroll: also take what the device has measured before; it must be the patient's."),
      CommandOption(
        "seconds", "N", help: "With enroll: how long to look for the device; 120 if not given."),
    ],
    details: """
      run      Reads until SIGTERM or Ctrl-C. SIGHUP makes it read its configuration again.
      check    Says all that is wrong with a configuration; the exit status is 1 if anything is.
      status   Shows patients, queues, devices, readings that need a decision, and devices in range that
               are nobody's.
      enroll   Pairs a device, and reads it for the patient from then on: what it has measured before is
               set aside, unless --with-memory takes it, too. For a device that another patient has, too,
               name both slots: it is read for each of them.
               With --code, the device is the patient's from now on, also if it was another's, and its
               first reading is shown to be confirmed; until then, all its readings wait.
      release  Lets readings go to the server that were held since it was not known whose they are.
      forget   Reads an enrolled device no more, for the patient or for anybody. What was read stays.
      pause    Reads nothing for some seconds, or until "resume", also after a restart. What is being
               read is read to its end.
      reload   Reads the configuration again; one with errors changes nothing.
      stop     Ends the hub as SIGTERM does.

      A hub asks nobody: the configuration says whose devices are read, and a reading of which nobody
      knows whose it is waits. Documentation/gateway.md describes the configuration and the service,
      Documentation/hub.example.json is one to begin with. All but run and check ask the hub that runs.

      examples: santorio hub check --config hub.json
                santorio hub enroll UA-651BLE --patient bed-2
                santorio hub release 4d2c1a6e-77f1-5d0a-9a55-0c7b8a2f1e3d --patient bed-1
      """
  ) { arguments in
    try await HubCommand(arguments).run()
  }
}

/// One call of the command.
struct HubCommand: Sendable {
  /// The configuration when none is named.
  static let file = "/etc/santorio/hub.json"

  enum Verb: String, CaseIterable {
    case run, check, status, enroll, release, forget, pause, resume, reload, stop

    /// The options that belong to it, beside those for all.
    var options: [String] {
      switch self {
      case .status, .check: ["json"]
      case .enroll: ["patient", "code", "slot", "passkey", "yes", "with-memory", "seconds"]
      case .release, .forget: ["patient"]
      default: []
      }
    }
  }

  let arguments: Arguments
  let verb: Verb
  let operands: [String]

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    let word = arguments.operands.first ?? "run"
    guard let verb = Verb(rawValue: word) else {
      throw UsageError(
        Suggestion.text(unknown: "form of \"hub\"", word, among: Verb.allCases.map(\.rawValue)),
        command: "hub")
    }
    self.verb = verb
    operands = Array(arguments.operands.dropFirst())
    for option in ["json", "patient", "code", "slot", "passkey", "yes", "with-memory", "seconds"]
    where arguments.has(option) && !verb.options.contains(option) {
      throw UsageError("--\(option) does not belong to \"hub \(word)\".", command: "hub")
    }
    if ![.enroll, .release, .forget, .pause].contains(verb), !operands.isEmpty {
      throw UsageError("\"hub \(word)\" takes options only.", command: "hub")
    }
  }

  var file: String { arguments["config"] ?? Self.file }

  func run() async throws -> Int32 {
    switch verb {
    case .run: try await HubRun(file: file).run()
    case .check: check()
    default: try await ask()
    }
  }

  // MARK: - Check

  private func check() -> Int32 {
    let reading = HubConfiguration.check(file: file)
    for finding in reading.findings { print(arguments.has("json") ? finding.json : "\(finding)") }
    guard !reading.hasErrors else { return 1 }
    if !arguments.has("json"), let configuration = reading.configuration {
      let devices = Set(configuration.patients.flatMap(\.devices).map(\.identifier)).count
      print("\(file): \(configuration.patients.count) patients, \(devices) devices; no errors")
    }
    return 0
  }

  // MARK: - Questions to the hub

  private func ask() async throws -> Int32 {
    switch try await answer(to: try await request()) {
    case .status(let status): print(arguments.has("json") ? status.json : status.text)
    case .enrolled(let device):
      print("enrolled  \(device.name)  \(device.identifier.uuidString)  \(device.patient)")
      if device.waitsForConfirmation { return try await confirm(device) }
    case .released(let count, let left):
      print("released  \(count)")
      if left > 0 {
        printError(
          "santorio: \(left) may be another patient's and still wait: \"santorio hub status\" lists them, "
            + "\"santorio hub release READING --patient ALIAS\" releases each")
      }
    case .forgotten(let patients):
      print("forgotten  \(patients.joined(separator: ", "))")
    case .paused(let end):
      print(
        "paused\(end.map { "  until \($0.formatted(.iso8601))" } ?? "; \"santorio hub resume\" ends it")"
      )
    case .resumed: print("reading")
    case .stopping: print("stopping")
    case .reloaded(let reload): return report(reload)
    case .failed(let fault):
      printError("santorio: \(fault)")
      return 1
    }
    return 0
  }

  func answer(to request: HubRequest) async throws -> HubAnswer {
    // The configuration need not be without errors, nor readable.
    var named = arguments["socket"]
    if named == nil { named = await HubConfiguration.socket(inFile: file) }
    let isNamed = named != nil
    let client = HubControlClient(socket: named ?? HubConfiguration.Control.socket)
    do throws(HubControlError) {
      return try await client.send(request, progress: { printError($0.message) })
    } catch {
      guard error.code == .noHub, !isNamed, FileManager.default.fileExists(atPath: file) else {
        throw error
      }
      throw CommandError(
        "\(error). \(file) does not say where the hub listens, or cannot be read: \"santorio hub check\" "
          + "says why; or name the socket with --socket")
    }
  }

  private func report(_ reload: HubAnswer.Reload) -> Int32 {
    for finding in reload.findings { printError("\(finding)") }
    for change in reload.changes { print(change) }
    if !reload.restart.isEmpty {
      printError(
        "santorio: only a restart of the hub changes: \(reload.restart.joined(separator: ", "))")
    }
    guard reload.isInUse else {
      printError("santorio: nothing was changed")
      return 1
    }
    if reload.changes.isEmpty { print("nothing has changed") }
    return 0
  }

  private func request() async throws(UsageError) -> HubRequest {
    switch verb {
    case .enroll: return .enroll(try await enrolment())
    case .release: return .release(try release())
    case .forget: return .forget(try identifier(), patient: arguments["patient"])
    case .pause: return .pause(seconds: try seconds())
    case .resume: return .resume
    case .reload: return .reload
    case .stop: return .stop
    case .status, .run, .check: return .status
    }
  }

  private func release() throws(UsageError) -> HubRequest.Release {
    guard operands.isEmpty else {
      return .records(operands, patient: arguments["patient"])
    }
    guard let alias = arguments["patient"] else {
      throw UsageError(
        "name readings, as \"santorio hub status\" shows them, or a patient.", command: "hub")
    }
    return .patient(alias)
  }

  private func identifier() throws(UsageError) -> UUID {
    guard operands.count == 1, let device = UUID(uuidString: operands[0]) else {
      throw UsageError(
        "name one device by its identifier, as \"santorio hub status --json\" has it.",
        command: "hub")
    }
    return device
  }

  private func seconds() throws(UsageError) -> Int? {
    guard let text = operands.first else { return nil }
    guard operands.count == 1, let seconds = Int(text), (1...7 * 86_400).contains(seconds) else {
      throw UsageError("\"hub pause\" takes a number of seconds up to a week.", command: "hub")
    }
    return seconds
  }
}

// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import HealthDevices
import HealthGATT
import SantorioBluetooth

extension Command {
  static let scan = Command(
    name: "scan",
    summary: "List the Bluetooth devices in range.",
    forms: ["[--service UUID[,UUID ...] | --all] [--seconds N] [--json] [--radio RADIO]"],
    options: [
      CommandOption(
        "service", "UUIDS",
        help: "List devices that advertise one of these services, comma-separated."),
      CommandOption("all", help: "List any device, not only those that may be in the catalogue."),
      CommandOption("seconds", "N", help: "End after N seconds, or at Ctrl-C."),
      CommandOption("json", help: "Print one object per line instead of a table."),
      RadioChoice.option,
    ],
    details: """
      Many medical devices advertise only for a minute after a measurement, or while they are in
      pairing mode. In a terminal the table is redrawn as signals change; elsewhere, and with
      --json, there is one line for each device, and another when more becomes known about it.

      \(RadioChoice.details)

      example: santorio scan --service 1810,1808 --seconds 30 --json
      """
  ) { arguments in
    try await Scan(arguments).run()
  }
}

/// Scans, and prints what it finds.
struct Scan: Sendable {
  private let choice: RadioChoice
  private let services: [String]?
  /// Whether devices that are not known to be health devices are left out.
  private let isForHealth: Bool
  private let seconds: Int?
  private let printer: ScanPrinter.Form

  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.isEmpty else {
      throw UsageError(
        "\"scan\" takes options only; to find one device, use --service or look for its name.",
        command: "scan")
    }
    choice = try RadioChoice(arguments)
    services = try Self.services(arguments)
    isForHealth = !arguments.has("all") && arguments["service"] == nil
    seconds = try arguments.integer("seconds", in: 1...86_400)
    printer = arguments.has("json") ? .json : Terminal.isOutput ? .live : .rows
  }

  /// The services to scan for; nil for any device.
  static func services(_ arguments: Arguments) throws(UsageError) -> [String]? {
    // Some devices advertise a name but no service, so the scan is for all devices.
    guard let text = arguments["service"] else { return nil }
    guard !arguments.has("all") else {
      throw UsageError("--service and --all cannot be combined.", command: "scan")
    }
    let services = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for service in services where !isUUID(service) {
      throw UsageError(
        "--service takes UUIDs of 4, 8 or 32 hexadecimal digits (1810), not \"\(service)\".",
        command: "scan")
    }
    return services
  }

  private static func isUUID(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-9A-Fa-f]{4}([0-9A-Fa-f]{4})?/) != nil
      || text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
  }

  func run() async throws -> Int32 {
    let radio = CommandRadio(choice)
    try await radio.waitUntilOn()
    let stop = await StopSignal()
    printError("listening; press Ctrl-C to stop")
    let count = await withTaskGroup(of: Int?.self) { group in
      group.addTask { await listen(radio) }
      group.addTask {
        await stop.wait()
        return nil
      }
      if let seconds {
        group.addTask { [clock = radio.clock] in
          try? await clock.sleep(for: .seconds(seconds))
          return nil
        }
      }
      _ = await group.next()
      group.cancelAll()
      return await group.reduce(0) { $0 + ($1 ?? 0) }
    }
    if count == 0 {
      printError("no device was found. Is the device on, nearby, and in pairing mode?")
    }
    return 0
  }

  /// Prints what it finds until the task is cancelled, and returns the number of devices.
  private func listen(_ radio: CommandRadio) async -> Int {
    var printer = ScanPrinter(printer)
    var devices = ScannedDevices()
    let events = RadioListener.events(.devices(services), managerOptions: radio.managerOptions)
    for await event in events {
      switch event {
      case .discovered(let discovered):
        guard !isForHealth || discovered.isHealthDevice else { continue }
        let change = devices.discovered(discovered)
        printer.print(devices, change: change)
      case .state(.poweredOn): break
      case .state(let state):
        printError("santorio: \(RadioUnavailable(state: state, choice: choice))")
      }
    }
    printer.finish(devices)
    return devices.all.count
  }
}

extension RadioListener.DiscoveredDevice {
  /// Whether the catalogue knows the device, or one of its services.
  fileprivate var isHealthDevice: Bool {
    advertisement.services.contains(where: Self.services.contains)
      || DeviceModel.best(of: DeviceModel.supported, for: advertisement) != nil
  }

  private static let services = Set(
    DeviceModel.supported.flatMap(\.advertisementFilter.services))
}

/// Prints devices as they are found.
struct ScanPrinter {
  /// The output format.
  enum Form: Hashable, Sendable {
    /// One object per line, for programs.
    case json
    /// A table whose rows are added as devices are found.
    case rows
    /// A table that is redrawn in place.
    case live
  }

  /// The shortest time between two drawings of the table.
  private static let pause = Duration.milliseconds(200)

  private let form: Form
  private var drawnLines = 0
  private var lastDrawn: ContinuousClock.Instant?

  init(_ form: Form) { self.form = form }

  /// Prints a change.
  ///
  /// - Parameters:
  ///   - devices: All devices.
  ///   - change: The device that is new or better known, if any.
  mutating func print(_ devices: ScannedDevices, change: ScannedDevice?) {
    switch form {
    case .json: if let change { Swift.print(change.json) }
    case .rows:
      guard let change else { return }
      if drawnLines == 0 { Swift.print(ScanTable.header) }
      drawnLines += 1
      Swift.print(ScanTable.row(change))
    case .live:
      let now = ContinuousClock.now
      if let lastDrawn, change == nil, now - lastDrawn < Self.pause { return }
      draw(devices)
      lastDrawn = now
    }
  }

  /// Draws the last state.
  mutating func finish(_ devices: ScannedDevices) {
    if form == .live, !devices.all.isEmpty { draw(devices) }
  }

  private mutating func draw(_ devices: ScannedDevices) {
    let (columns, rows) = Terminal.size
    let lines = ScanTable.lines(devices.all, columns: columns, rows: rows)
    let back = drawnLines == 0 ? "" : "\u{1B}[\(drawnLines)A\u{1B}[J"
    Swift.print(back + lines.joined(separator: "\n"))
    drawnLines = lines.count
  }
}

// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import SantorioBluetooth
import VirtualDevices

extension Command {
  static let devices = Command(
    name: "devices",
    summary: "List the devices that can be read, or those enrolled in a session's folder.",
    forms: [
      "[--json | --markdown]", "NUMBER", "--data FOLDER [--slot [DEVICE=]N ...] [--json]",
    ],
    options: [
      CommandOption("data", "FOLDER", help: "List the devices enrolled in the session's folder."),
      SlotOption.option(
        "[DEVICE=]N",
        help: "Say which user of a device the session's user is; once for each device."),
      CommandOption("json", help: "Print one object per line."),
      CommandOption("markdown", help: "Print the page Documentation/devices.md."),
    ],
    details: """
      Without NUMBER one line per device is printed, with how well it is known and tested; with it
      everything known about one device.

      With --data the enrolled devices are listed, with the users that each has shown and how many of
      its readings are held since it is not known whose they are. What --slot says is kept with the
      enrolment, and what was held of that user is released; DEVICE=none forgets it. Another process
      may read the devices at the same time.

      \(SlotOption.details)

      The numbers below 10000 are Validic's where it has one for the device. How well a protocol is
      known: "captured" has a published specification or captured traffic of real devices that was
      decoded, "agreed" has two or more independent public implementations, "single" has one.
      "stand-in" is a protocol of this project in place of one that the manufacturer does not
      publish.
      """
  ) { arguments in
    if arguments.has("data") {
      guard arguments.operands.isEmpty, !arguments.has("markdown") else {
        throw UsageError("\"devices\" with --data takes --slot and --json.", command: "devices")
      }
      return try await FolderDevices.run(arguments)
    }
    guard !arguments.has("slot") else {
      throw UsageError("--slot requires --data.", command: "devices")
    }
    if let text = arguments.operands.first {
      guard arguments.operands.count == 1, arguments.options.isEmpty else {
        throw UsageError("\"devices\" takes one NUMBER, or options.", command: "devices")
      }
      guard let number = Int(text),
        let page = DevicePage.all.first(where: { $0.entry.id == number })
      else {
        throw UsageError("the catalogue has no number \"\(text)\".", command: "devices")
      }
      print(page.text)
    } else if arguments.has("json") {
      for page in DevicePage.all { print(page.json) }
    } else if arguments.has("markdown") {
      print(DevicePage.markdown)
    } else {
      print(DevicePage.table)
    }
    return 0
  }
}

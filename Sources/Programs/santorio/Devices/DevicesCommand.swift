// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import SantorioBluetooth
import VirtualDevices

extension Command {
  static let devices = Command(
    name: "devices",
    summary: "List the devices that can be read, and how well each is known and tested.",
    forms: ["[--json | --markdown]", "NUMBER"],
    options: [
      CommandOption("json", help: "Print one object per line."),
      CommandOption("markdown", help: "Print the page Documentation/devices.md."),
    ],
    details: """
      Without NUMBER one line per device is printed; with it everything known about one device.

      The numbers below 10000 are Validic's where it has one for the device. How well a protocol is
      known: "captured" has a published specification or captured traffic of real devices that was
      decoded, "agreed" has two or more independent public implementations, "single" has one.
      "stand-in" is a protocol of this project in place of one that the manufacturer does not
      publish.
      """
  ) { arguments in
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

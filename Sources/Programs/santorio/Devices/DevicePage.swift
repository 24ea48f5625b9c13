// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import HealthRecords
import SantorioBluetooth
import VirtualDevices
import SantorioJSON

/// What is known about one catalogue entry.
struct DevicePage {
  let entry: DeviceModel

  /// One for each entry, including those that cannot be read, in the order of their numbers.
  static var all: [DevicePage] { DeviceCatalogue.standard.entries.map(DevicePage.init) }

  /// A protocol by which the device is read.
  private struct Source {
    let name: String
    let confidence: DriverModel.Confidence
    let places: [String]
  }

  private var sources: [Source] {
    entry.drivers.map { Source(name: $0.name, confidence: $0.confidence, places: $0.sources) }
      + [entry.broadcast].compactMap(\.self).map {
        Source(name: $0.name, confidence: $0.confidence, places: $0.sources)
      }
  }

  private var filter: String {
    let rule = entry.advertisementFilter
    let names = rule.namePrefixes.map { "\($0)…" }.joined(separator: " or ")
    let companies = rule.companies.map { "company 0x" + String($0, radix: 16, uppercase: true) }
    let parts =
      [
        names.isEmpty ? "" : "name \(names)",
        rule.services.isEmpty ? "" : "service \(rule.services.joined(separator: " or "))",
      ] + companies
    let description = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    guard description.isEmpty else { return description }
    return entry.isDisabled ? "not known" : "all advertisements"
  }

  private var pairing: String {
    let way = entry.broadcast != nil ? "never connected" : entry.requiresPairing ? "yes" : "no"
    let file: String? =
      switch entry.authorization {
      case .keyFile(let name)?: "the key file \(name)"
      case .license(let name)?: "the licence \(name)"
      case nil: nil
      }
    let key = PeripheralDataKey(of: entry).map { _ in "its own key" }
    let needed = [file, key].compactMap(\.self)
    return needed.isEmpty ? way : "\(way); needs \(needed.joined(separator: " and "))"
  }

  /// How what the device sends of its users agrees with what it shows them.
  private var users: String {
    guard let numbering = entry.userNumbering else { return "the protocol says nothing of them" }
    guard let first = numbering.first else {
      return "how the device labels them is not public; use the number that it sends"
    }
    return first == 1
      ? "as the device labels them, from 1" : "labelled from 1 on the device, from \(first) in data"
  }

  private var confidence: String {
    guard !sources.isEmpty else { return "not public" }
    return sources.map(\.confidence.rawValue).uniqued.joined(separator: ", ")
  }

  private var tests: String {
    let models = VirtualDeviceModel.models(of: entry.id).map(\.id)
    guard models.isEmpty else { return models.map { "virtual \($0)" }.joined(separator: ", ") }
    guard let relative else { return "–" }
    return "by protocol only, see \(relative.id)"
  }

  /// A virtual device of another entry that speaks one of the entry's protocols.
  private var relative: VirtualDeviceModel? {
    let protocols = Set(entry.drivers.map(\.id))
    return VirtualDeviceModel.all.first { model in
      let drivers = DeviceCatalogue.standard.entry(id: model.peripheralID)?.drivers.first
      return drivers.map { protocols.contains($0.id) } ?? false
    }
  }

  private var protocols: String {
    sources.isEmpty ? "cannot be read" : sources.map(\.name).joined(separator: ", or ")
  }

  // MARK: - For display

  static var table: String {
    let header = row("NUMBER", "DEVICE", "MEASURES", "PROTOCOL", "KNOWN", "TESTED WITH")
    let rows = all.map { page in
      row(
        String(page.entry.id), page.entry.name, page.entry.type.displayName, page.protocols,
        page.confidence, page.tests)
    }
    return ([header] + rows).joined(separator: "\n")
  }

  private static func row(_ cells: String...) -> String {
    zip(cells, [6, 34, 22, 44, 9, 0]).map { $0.padded(to: $1) }.joined(separator: "  ")
  }

  var text: String {
    let facts =
      [
        ("number", String(entry.id)), ("measures", entry.type.displayName),
        ("recognised by", filter), ("pairing", pairing),
        ("time to connect", "\(entry.connectTimeout.components.seconds) s"),
        ("time to read", "\(entry.readTimeout.components.seconds) s"),
        ("users", users), ("to begin", entry.instructions),
        ("to pair", entry.pairingInstructions ?? "–"),
        ("tested with", tests),
      ] + (entry.disabledReason.map { [("not read because", $0)] } ?? [])
    let protocols = sources.map { source in
      (["", "\(source.name) (\(source.confidence.rawValue))"] + source.places.map { "  \($0)" })
        .joined(separator: "\n")
    }
    return ([entry.name] + facts.map { "  \($0.0.padded(to: 18))\($0.1)" } + protocols)
      .joined(separator: "\n")
  }

  // MARK: - For programs

  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("id")
      json.integer(entry.id)
      let texts = [
        ("name", entry.name), ("type", entry.type.rawValue), ("recognised_by", filter),
        ("pairing", pairing), ("confidence", confidence),
      ]
      for (key, text) in texts {
        json.key(text: key)
        json.string(text)
      }
      json.optional("first_user_slot", entry.userNumbering?.first)
      json.key("is_supported")
      json.bool(!entry.isDisabled)
      json.key("protocols")
      json.array { json in
        for source in sources {
          json.object { json in
            json.key("name")
            json.string(source.name)
            json.key("confidence")
            json.string(source.confidence.rawValue)
            json.key("sources")
            json.array { json in source.places.forEach { json.string($0) } }
          }
        }
      }
      json.key("virtual_devices")
      json.array { json in
        for model in VirtualDeviceModel.models(of: entry.id) {
          json.string(model.id)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  // MARK: - The page of the documentation

  static var markdown: String {
    let kinds = PeripheralType.standard.compactMap { type -> String? in
      let pages = all.filter { $0.entry.type == type }
      guard !pages.isEmpty else { return nil }
      return (["## \(type.displayName)s", "", Self.columns] + pages.map(\.markdownRow))
        .joined(separator: "\n")
    }
    return ([introduction] + kinds + [userList, protocolList]).joined(separator: "\n\n")
  }

  /// Which devices say whose a reading is, and by which number.
  private static var userList: String {
    let numbered = all.compactMap { page in
      page.entry.userNumbering.flatMap { numbering in
        numbering.first.map { (page.entry.name, $0, numbering.sources) }
      }
    }
    let rows = numbered.map { name, first, sources in
      "| \(name) | \(first), \(first + 1), … | \(sources.joined(separator: "; ")) |"
    }
    let unknown = all.filter { $0.entry.userNumbering == .notPublic }.map(\.entry.name)
    return
      (["## Several people on one device", "", userIntroduction] + rows
      + ["", "It is not public how these label their users: \(unknown.joined(separator: ", "))."])
      .joined(separator: "\n")
  }

  private static let userIntroduction = """
    A reading says by a number which user of the device was measured (`user_slot`). Some devices \
    count from 0 what they label 1. `--slot` takes the label where it is known, else the number \
    that the device sends.

    | Device | In the data, for the users labelled 1, 2, … | Source |
    |---|---|---|
    """

  private static let introduction = """
    # Devices

    This page is generated by `santorio devices --markdown`; `Scripts/check devices` fails when it \
    is out of date. Where the last column names a virtual device, it replays frames of real \
    devices where such are public; *by protocol only* means that a virtual device of another model \
    speaks the same protocol. No real device has been read by this project; \
    [not-verified.md](not-verified.md) lists what that leaves open.

    How well a protocol is known: *captured* has a published specification or captured traffic of \
    real devices that was decoded, *agreed* has two or more independent public implementations, \
    *single* has one. *stand-in* is a protocol of this project in place of one that the \
    manufacturer does not publish. Numbers below 10000 are Validic's where it has one for the \
    device.

    A continuous glucose monitor is read where it keeps to the Bluetooth SIG's profile. Those that \
    most people wear (Abbott, Dexcom, Medtronic) speak protocols of their manufacturers' instead, \
    and are not read.
    """

  private static let columns = """
    | Number | Device | Recognised by | Pairing | Protocol | Known | Tested with |
    |---|---|---|---|---|---|---|
    """

  private var markdownRow: String {
    let cells = [
      String(entry.id), entry.name, filter, pairing, protocols, confidence, tests,
    ]
    return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
  }

  private static var protocolList: String {
    var seen: Set<String> = []
    let sources = all.flatMap(\.sources).filter { seen.insert($0.name).inserted }
      .sorted { $0.name < $1.name }
    let rows = sources.map { source in
      "- **\(source.name)** (\(source.confidence.rawValue)): \(source.places.joined(separator: "; "))"
    }
    return (["## Where the protocols are described", ""] + rows).joined(separator: "\n")
  }
}

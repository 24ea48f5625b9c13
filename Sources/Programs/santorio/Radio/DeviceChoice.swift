// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth
import HealthDevices

/// The device that a command is to use.
enum DeviceChoice: Hashable, Sendable {
  /// Any that can be read.
  case any
  /// Any that was paired with this machine for the session's folder.
  case enrolled
  /// Any device of one catalogue entry.
  case entry(DeviceModel)
  /// One device, by the identifier that this machine assigned to it.
  case identifier(UUID)
  /// One device, by the beginning of its advertised name.
  case name(String)

  /// The help text about the operand.
  static var details: String {
    """
    DEVICE is a number or model of the catalogue, or one device: its identifier or the beginning of
    its name, as "santorio scan" shows them. "santorio devices" lists the catalogue.
    """
  }

  /// Parses an operand.
  ///
  /// - Throws: ``UsageError`` for a number that the catalogue does not have, or an empty text.
  init(_ text: String, for command: String) throws(UsageError) {
    let wanted = text.lowercased()
    if let number = Int(text) {
      guard let entry = DeviceModel.supported.first(where: { $0.id == number }) else {
        throw UsageError(
          "the catalogue has no device of number \(number) that can be read; \"santorio devices\" lists "
            + "those that can.", command: command)
      }
      self = .entry(entry)
    } else if let entry = DeviceModel.supported.first(where: {
      [$0.model.lowercased(), $0.name.lowercased()].contains(wanted)
    }) {
      self = .entry(entry)
    } else if let entry = DeviceCatalogue.standard.entries.first(where: {
      [$0.model.lowercased(), $0.name.lowercased()].contains(wanted)
    }) {
      throw UsageError(
        "\(entry.name) cannot be read. \(entry.disabledReason ?? "")", command: command)
    } else if let identifier = UUID(uuidString: text) {
      self = .identifier(identifier)
    } else if !text.isEmpty {
      self = .name(text)
    } else {
      throw UsageError("\"\" does not name a device.", command: command)
    }
  }

  /// Whether a found device matches the choice.
  func matches(_ device: DeviceRunner.FoundDevice) -> Bool {
    switch self {
    case .any, .enrolled: true
    case .entry(let entry): entry.id == device.peripheral.id
    case .identifier(let wanted): wanted == device.identifier
    case .name: false
    }
  }
}

extension RadioListener.DiscoveredDevice {
  /// Whether the advertised name begins with a text, in upper or lower case.
  func isNamed(_ beginning: String) -> Bool {
    name?.lowercased().hasPrefix(beginning.lowercased()) ?? false
  }
}

extension CommandRadio {
  /// Finds the identifier of a device that is chosen by its name; other choices stay as they are.
  ///
  /// - Parameters:
  ///   - choice: The choice.
  ///   - time: How long to listen for the device; nil for as long as it takes.
  /// - Returns: The device; nil when the task was cancelled, or, with a message, when the time is over.
  func resolve(_ choice: DeviceChoice, within time: Duration? = nil) async -> DeviceChoice? {
    guard case .name(let name) = choice else { return choice }
    let hint = Self.model(like: name).map { "; the catalogue has a model \"\($0)\"" } ?? ""
    printError("looking for a device named \"\(name.printable)…\"\(hint)")
    let found = await withTaskGroup(of: UUID?.self) { group in
      group.addTask { await listen(for: name) }
      if let time {
        group.addTask {
          try? await clock.sleep(for: time)
          return nil
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if found == nil, !Task.isCancelled { printError(Self.question(about: name)) }
    return found.map { .identifier($0) }
  }

  private func listen(for name: String) async -> UUID? {
    for await event in RadioListener.events(.devices(nil), managerOptions: managerOptions) {
      if case .discovered(let discovered) = event, discovered.isNamed(name) {
        return discovered.identifier
      }
    }
    return nil
  }

  private static func model(like name: String) -> String? {
    let models = DeviceModel.supported.map(\.model)
    let meant = Suggestion.similar(to: name.lowercased(), among: models.map { $0.lowercased() })
    return models.first { $0.lowercased() == meant }
  }

  /// The message about a name that no device in range has.
  static func question(about name: String) -> String {
    let question =
      model(like: name).map { "Did you mean the model \"\($0)\"?" }
      ?? "Is it on, near, and in its pairing mode?"
    return
      "santorio: no device was heard whose name begins with \"\(name.printable)\". \(question) "
      + "\"santorio scan\" shows the names in range, \"santorio devices\" the models."
  }
}

/// What to look for: catalogue entries and, for single devices, their identifiers.
struct DeviceTargets: Hashable, Sendable {
  let peripherals: [DeviceModel]
  let identifiers: Set<UUID>?
  /// Whether every device in range is wanted, other people's too.
  let areAny: Bool

  /// Combines choices; either all or none of them are single devices.
  init(_ choices: some Collection<DeviceChoice>) {
    var (entries, identifiers): ([DeviceModel], Set<UUID>) = ([], [])
    for choice in choices {
      switch choice {
      case .any: entries += DeviceModel.supported
      case .entry(let entry): entries.append(entry)
      case .identifier(let identifier): identifiers.insert(identifier)
      case .name, .enrolled: break
      }
    }
    peripherals = entries.isEmpty ? DeviceModel.supported : entries
    self.identifiers = identifiers.isEmpty ? nil : identifiers
    areAny = choices.contains(.any)
  }

  /// The same, where "the enrolled ones" are these; nil when there are none.
  init?(_ choices: some Collection<DeviceChoice>, enrolled: [UUID]) {
    guard choices.contains(.enrolled) else {
      self.init(choices)
      return
    }
    guard !enrolled.isEmpty else { return nil }
    self.init(enrolled.map { .identifier($0) })
  }

  /// Whether there may be a device to look for other than the resting ones.
  func hasMore(than resting: Set<UUID>) -> Bool {
    identifiers.map { !$0.isSubset(of: resting) } ?? true
  }
}

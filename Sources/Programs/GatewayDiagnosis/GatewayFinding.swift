// SPDX-License-Identifier: Apache-2.0

/// The result of one check.
package struct GatewayFinding: Hashable, Sendable {
  /// What is checked, in the order of the report; the raw value is for programs.
  package enum Check: String, Hashable, Sendable, CaseIterable {
    case systemBus, bluetoothService, permission, adapter, radioSwitch, power, gatt, advertising
    case agent, bluezVersion, kernel, dataFolder, queueKey, server, clock

    /// The name to display.
    package var title: String {
      switch self {
      case .systemBus: "system bus"
      case .bluetoothService: "bluetoothd"
      case .permission: "permission"
      case .adapter: "adapter"
      case .radioSwitch: "radio switch"
      case .power: "power"
      case .gatt: "low energy"
      case .advertising: "advertising"
      case .agent: "pairing agent"
      case .bluezVersion: "BlueZ"
      case .kernel: "kernel"
      case .dataFolder: "data folder"
      case .queueKey: "queue key"
      case .server: "server"
      case .clock: "clock"
      }
    }
  }

  package enum Verdict: String, Hashable, Sendable {
    case ok
    /// Worth knowing; readings can still be taken.
    case note
    /// Readings cannot be taken, or cannot be trusted.
    case problem
    /// Unknown until another problem is solved.
    case unknown
  }

  package let check: Check
  package let verdict: Verdict
  /// What was found, in a sentence.
  package let text: String
  /// What to do: commands, or sentences where no command does it.
  package let remedies: [String]

  package init(_ check: Check, _ verdict: Verdict, _ text: String, _ remedies: String...) {
    self.check = check
    self.verdict = verdict
    self.text = text
    self.remedies = remedies
  }

  init(_ check: Check, _ verdict: Verdict, _ text: String, remedies: [String]) {
    self.check = check
    self.verdict = verdict
    self.text = text
    self.remedies = remedies
  }
}

extension GatewayFacts {
  /// What the facts mean: one finding for each check that applies, in the checks' order.
  package var findings: [GatewayFinding] {
    [
      busFinding, serviceFinding, permissionFinding, adapterFinding, switchFinding, powerFinding,
      gattFinding, advertisingFinding, agentFinding, versionFinding, kernelFinding, folderFinding,
      keyFinding, serverFinding, clockFinding,
    ].compactMap { $0 }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Which radio a command is to use.
enum RadioChoice: Hashable, Sendable {
  /// An adapter of this machine: by its name (hci1) or its address, or else the first.
  case bluez(adapter: String?)
  /// Virtual devices within the process, and the speed of their time relative to real time.
  case simulated(speed: Double)

  static let option = CommandOption(
    "radio", "RADIO",
    help: "bluez, bluez:ADAPTER (hci1 or its address) or simulated; bluez if not given.")

  /// The help text about the option.
  static let details = """
    RADIO "simulated" is a set of virtual demo devices within the process, to try the \
    command
    without hardware; simulated:20 runs its time 20 times as fast.
    """

  /// Takes the choice from the arguments.
  ///
  /// - Throws: ``UsageError`` when it is not valid.
  init(_ arguments: Arguments) throws(UsageError) {
    let text = arguments["radio"] ?? "bluez"
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.dropFirst().first.map(String.init)) {
    case ("bluez", nil): self = .bluez(adapter: nil)
    case ("bluez", .some(let adapter)) where Self.isAdapter(adapter):
      self = .bluez(adapter: adapter.hasPrefix("hci") ? adapter : adapter.uppercased())
    case ("simulated", nil): self = .simulated(speed: 1)
    case ("simulated", .some(let speed)):
      guard let speed = Double(speed), (0.1...1000).contains(speed) else { fallthrough }
      self = .simulated(speed: speed)
    default:
      throw UsageError(
        "--radio takes bluez, bluez:hci1, bluez:00:1A:7D:DA:71:13 (an adapter's address) or "
          + "simulated, not \"\(text)\".", command: arguments.command)
    }
  }

  private static func isAdapter(_ text: String) -> Bool {
    text.wholeMatch(of: /hci[0-9]{1,3}/) != nil
      || text.wholeMatch(of: /([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/) != nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import VirtualDevices

/// The commands of standard input, in words; each is answered by a line.
///
///     say COUNT                   signals advertisements of strangers at once, if a discovery runs
///                                 or as soon as one does: "said COUNT" when the bus has them all
///     add NUMBER MODEL SERIAL     a health device that is asleep, with an empty memory
///     awake NUMBER, asleep NUMBER
///     pairing NUMBER              its user puts it into its pairing mode
///     clock NUMBER SECONDS        its clock moves by that
///     drop NUMBER                 its link breaks
///     measure NUMBER USER KIND VALUE...
///                                 USER is 0...255, or "-" for the one that it takes without being
///                                 told; KIND is pressure (mmHg, mmHg, 1/min), weight (kg),
///                                 temperature (°C) or glucose (mg/dL)
///
/// A device that has sent measurements is reported by "sent NUMBER COUNT", everything that was done
/// by "done", and what cannot be done by "failed".
struct Commands {
  let daemon: VirtualDaemon
  let say: @Sendable (String) -> Void

  /// Carries out a command on the daemon's queue; false for one that is unknown.
  func carryOut(_ words: [String]) -> Bool {
    guard let command = words.first, words.count >= 2, let number = Int(words[1]) else {
      return false
    }
    switch command {
    case "say": daemon.say(number) { [say] in say("said \(number)") }
    case "add": say(add(number, words.dropFirst(2)) ? "done" : "failed")
    default: say(change(number, command, Array(words.dropFirst(2))) ? "done" : "failed")
    }
    return true
  }

  private func add(_ number: Int, _ words: ArraySlice<String>) -> Bool {
    guard let name = words.first, let serial = words.dropFirst().first,
      let model = VirtualDeviceModel.all.first(where: { $0.id == name })
    else { return false }
    daemon.add(number, model.numbered(serial)) { [say] event in
      if case .transferred(let count) = event { say("sent \(number) \(count)") }
    }
    return true
  }

  private func change(_ number: Int, _ command: String, _ words: [String]) -> Bool {
    guard let device = daemon[number] else { return false }
    switch (command, words.count) {
    case ("awake", 0): device.isAwake = true
    case ("asleep", 0): device.isAwake = false
    case ("pairing", 0): device.enterPairingMode()
    case ("drop", 0): device.loseLink()
    case ("clock", 1): device.jump(by: Double(words[0]) ?? 0)
    case ("measure", 3...):
      guard let values = VirtualMeasurement.Values(words.dropFirst()) else { return false }
      return device.measure(VirtualMeasurement(values, user: UInt8(words[0])))
    default: return false
    }
    return true
  }
}

extension VirtualMeasurement.Values {
  /// Reads a kind and its values.
  fileprivate init?(_ words: ArraySlice<String>) {
    let numbers = words.dropFirst().compactMap { Double($0) }
    switch (words.first, numbers.count) {
    case ("pressure", 3):
      self = .bloodPressure(
        systolic: Int(numbers[0]), diastolic: Int(numbers[1]), pulse: Int(numbers[2]))
    case ("weight", 1): self = .weight(kilograms: numbers[0])
    case ("temperature", 1): self = .temperature(celsius: numbers[0])
    case ("glucose", 1): self = .glucose(milligramsPerDeciliter: Int(numbers[0]))
    default: return nil
    }
  }
}

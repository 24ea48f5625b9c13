// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// ChoiceMMed's "iChoice" oximeters.
  ///
  /// Public readers subscribe to all four characteristics before they greet; the values come from
  /// the fourth.
  package static let choiceMMedOximeter = DriverModel(
    id: "choicemmed-oximeter", name: "ChoiceMMed MD300C228",
    required: [.choiceMMedValues, .choiceMMedRequests], optional: GATTAttribute.choiceMMedOthers,
    confidence: .single, sources: ["Android applications for \"iChoice\" oximeters"]
  ) { context in
    LiveOximeterDriver(
      context, source: .choiceMMedValues, listening: WholePayloads(ChoiceMMedOximetry.self),
      greeting: GATTAttribute.choiceMMedOthers.map { .subscribe($0) } + [
        .write(.choiceMMedRequests, ChoiceMMedOximetry.greeting)
      ])
  }
}

extension GATTAttribute {
  /// The service's UUID ends in the last five bytes of the device's address.
  private static let choiceMMedService = "BA11F08C-5F14-0B0D-1080-*"
  package static let choiceMMedValues = GATTAttribute(choiceMMedService, "CD04")
  package static let choiceMMedRequests = GATTAttribute(choiceMMedService, "CD20")
  package static let choiceMMedOthers = ["CD01", "CD02", "CD03"].map {
    GATTAttribute(choiceMMedService, $0)
  }
}

extension ChoiceMMedOximetry: OximetryPayload {
  package var moment: OximetryMoment? { OximetryMoment(sample, payload: payload) }
}

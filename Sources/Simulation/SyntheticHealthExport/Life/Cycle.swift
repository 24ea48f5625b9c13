// SPDX-License-Identifier: Apache-2.0

/// Records of the menstrual cycle, which stand at noon UTC of their day.
extension Life {
  private func noon(_ day: Int) -> Int { day * 86_400 + 43_200 }

  private func dayOfCycle(_ day: Int) -> Int { (day % 28 + 28) % 28 }

  func menstrualFlow(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    let names: [StaticString] = [
      "HKCategoryValueMenstrualFlowMedium", "HKCategoryValueMenstrualFlowHeavy",
      "HKCategoryValueMenstrualFlowMedium", "HKCategoryValueMenstrualFlowLight",
      "HKCategoryValueMenstrualFlowUnspecified", "HKCategoryValueMenstrualFlowNone",
    ]
    let number = dayOfCycle(day)
    guard number < names.count else { return }
    records.append(
      RecordDraft(.health, at: noon(day), .category(names[number]), delay: 7000)
        .with("HKMenstrualCycleStart", number == 0 ? "1" : "0"))
  }

  func ovulationTest(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    let names: [StaticString] = [
      "HKCategoryValueOvulationTestResultNegative",
      "HKCategoryValueOvulationTestResultEstrogenSurge",
      "HKCategoryValueOvulationTestResultLuteinizingHormoneSurge",
      "HKCategoryValueOvulationTestResultIndeterminate",
    ]
    let number = dayOfCycle(day) - 11
    guard names.indices.contains(number) else { return }
    records.append(RecordDraft(.cycle, at: noon(day), .category(names[number])))
  }

  func mucus(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    let names: [StaticString] = [
      "HKCategoryValueCervicalMucusQualityDry", "HKCategoryValueCervicalMucusQualitySticky",
      "HKCategoryValueCervicalMucusQualityCreamy", "HKCategoryValueCervicalMucusQualityWatery",
      "HKCategoryValueCervicalMucusQualityEggWhite",
    ]
    let number = dayOfCycle(day) - 8
    guard names.indices.contains(number) else { return }
    records.append(RecordDraft(.cycle, at: noon(day), .category(names[number])))
  }

  func bleeding(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    guard dayOfCycle(day) == 17 else { return }
    records.append(
      RecordDraft(.cycle, at: noon(day), .category("HKCategoryValueNotApplicable")))
  }

  func sexualActivity(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.cycle, day)
    guard random.chance(18) else { return }
    let record = RecordDraft(
      .health, at: noon(day), .category("HKCategoryValueNotApplicable"), delay: 9000)
    let protection = random.number(0...2)
    records.append(
      protection == 2 ? record : record.with("HKSexualActivityProtectionUsed", "\(protection)"))
  }

  func basalTemperature(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.cycle, day &+ 1_000_000)
    guard random.chance(70) else { return }
    let rise = dayOfCycle(day) > 14 ? 30 : 0
    let hundredths = random.number(3620...3650) + rise
    let value = units.american ? hundredths * 18_000 + 32_000_000 : hundredths * 10_000
    records.append(
      RecordDraft(.cycle, at: noon(day), .quantity(value)).with("HKWasUserEntered", "1"))
  }
}

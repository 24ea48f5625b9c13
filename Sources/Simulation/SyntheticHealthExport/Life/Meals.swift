// SPDX-License-Identifier: Apache-2.0

/// What a meal has, each with the unit that the document gives it.
enum Nutrient: Int, CaseIterable {
  case energy, carbohydrates, protein, fat, saturatedFat, fiber, cholesterol, sodium, calcium

  func type(_ units: UnitNames) -> RecordType {
    switch self {
    case .energy: .quantity("DietaryEnergyConsumed", units.energy)
    case .carbohydrates: .quantity("DietaryCarbohydrates", "g")
    case .protein: .quantity("DietaryProtein", "g")
    case .fat: .quantity("DietaryFatTotal", "g")
    case .saturatedFat: .quantity("DietaryFatSaturated", "g")
    case .fiber: .quantity("DietaryFiber", "g")
    case .cholesterol: .quantity("DietaryCholesterol", "mg")
    case .sodium: .quantity("DietarySodium", "mg")
    case .calcium: .quantity("DietaryCalcium", "mg")
    }
  }

  /// Hundredths of the unit.
  var range: ClosedRange<Int> {
    switch self {
    case .energy: 18_000...92_000
    case .carbohydrates: 1_200...11_000
    case .protein: 400...5_200
    case .fat: 300...4_100
    case .saturatedFat: 100...1_600
    case .fiber: 50...1_400
    case .cholesterol: 0...21_000
    case .sodium: 2_000...140_000
    case .calcium: 1_000...60_000
    }
  }
}

extension Life {
  struct Meal {
    var time: Int
    var food: String
    /// Hundredths of each nutrient's unit, in their order.
    var amounts: [Int]
  }

  func meals(_ day: Int) -> [Meal] {
    var random = random(.meals, day)
    let foods = [
      hasControlCharacter && day % 5 == 0 ? "Porridge\u{0b}with milk" : "Porridge with milk",
      "Rice &amp; beans", "Pancake &quot;Deluxe&quot;",
    ]
    return [8, 13, 19].enumerated().compactMap { index, hour in
      let time = timeline.instant(day, hour * 3600 + random.number(0...2400))
      let amounts = Nutrient.allCases.map { random.number($0.range) }
      guard random.chance(85), active(day).contains(time) else { return nil }
      return Meal(time: time, food: foods[index], amounts: amounts)
    }
  }

  func draft(_ meal: Meal, _ nutrient: Nutrient) -> RecordDraft {
    RecordDraft(
      .meals, at: meal.time, .quantity(meal.amounts[nutrient.rawValue] * 10_000), delay: 33
    ).with("HKFoodType", meal.food)
  }

  func nutrient(
    _ nutrient: Nutrient
  ) -> (Int, inout [RecordDraft], inout Ledger) -> Void {
    { day, records, _ in records += self.meals(day).map { self.draft($0, nutrient) } }
  }

  func water(_ day: Int, _ records: inout [RecordDraft], _ ledger: inout Ledger) {
    var random = random(.drinks, day)
    let hours = active(day)
    var time = hours.lowerBound
    while time < hours.upperBound {
      records.append(
        RecordDraft(
          .meals, at: time,
          .quantity(random.number(units.american ? 6...14 : 150...400, step: 1) * 1_000_000)))
      time += random.number(8_000...16_000)
    }
  }
}

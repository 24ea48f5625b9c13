// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Food and water.
  static let nutrition: [MetricDefinition] = [
    row(
      .energyConsumed, "Energy consumed", "kcal", "kcal", 0...20000, loinc: .loinc("9052-2"),
      mdc: .mdc(8_454_264), .nutrition, "calories", quantity: "DietaryEnergyConsumed",
      correlation: "Food"),
    row(
      .carbohydrate, "Carbohydrate", "g", "g", 0...2000, .nutrition, "carbohydrates",
      quantity: "DietaryCarbohydrates", correlation: "Food"),
    row(
      .fat, "Fat", "g", "g", 0...2000, .nutrition, "fat", quantity: "DietaryFatTotal",
      correlation: "Food"),
    row(
      .saturatedFat, "Saturated fat", "g", "g", 0...1000, .nutrition,
      quantity: "DietaryFatSaturated", correlation: "Food"),
    row(
      .unsaturatedFat, "Unsaturated fat", "g", "g", 0...1500, .nutrition),
    row(
      .dietaryFiber, "Dietary fibre", "g", "g", 0...500, .nutrition, "fiber",
      quantity: "DietaryFiber", correlation: "Food"),
    row(
      .protein, "Protein", "g", "g", 0...2000, .nutrition, "protein", quantity: "DietaryProtein",
      correlation: "Food"),
    row(
      .sugars, "Sugars", "g", "g", 0...2000, .nutrition, quantity: "DietarySugar",
      correlation: "Food"),
    row(
      .sodium, "Sodium", "mg", "mg", 0...100_000, .nutrition, "sodium", quantity: "DietarySodium",
      correlation: "Food"),
    row(
      .cholesterol, "Cholesterol", "mg", "mg", 0...20000, .nutrition,
      quantity: "DietaryCholesterol", correlation: "Food"),
    row(
      .calcium, "Calcium", "mg", "mg", 0...50000, .nutrition, quantity: "DietaryCalcium",
      correlation: "Food"),
    row(
      .water, "Water", "mL", "mL", 0...20000, .nutrition, "water", quantity: "DietaryWater",
      correlation: "Food"),
  ]
}

extension MetricType {
  /// Energy consumed in kilocalories.
  public static let energyConsumed = MetricType(rawValue: "energy_consumed")
  /// Carbohydrate in grams.
  public static let carbohydrate = MetricType(rawValue: "carbohydrate")
  /// Fat in grams.
  public static let fat = MetricType(rawValue: "fat")
  /// Saturated fat in grams.
  public static let saturatedFat = MetricType(rawValue: "saturated_fat")
  /// Unsaturated fat in grams.
  public static let unsaturatedFat = MetricType(rawValue: "unsaturated_fat")
  /// Dietary fibre in grams.
  public static let dietaryFiber = MetricType(rawValue: "dietary_fiber")
  /// Protein in grams.
  public static let protein = MetricType(rawValue: "protein")
  /// Sugars in grams.
  public static let sugars = MetricType(rawValue: "sugars")
  /// Sodium in milligrams.
  public static let sodium = MetricType(rawValue: "sodium")
  /// Cholesterol in milligrams.
  public static let cholesterol = MetricType(rawValue: "cholesterol")
  /// Calcium in milligrams.
  public static let calcium = MetricType(rawValue: "calcium")
  /// Water in millilitres.
  public static let water = MetricType(rawValue: "water")
}

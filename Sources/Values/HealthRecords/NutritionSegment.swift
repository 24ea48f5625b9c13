// SPDX-License-Identifier: Apache-2.0

/// A part of a nutrition record, for instance one of a day's meals.
public struct NutritionSegment: Hashable, Sendable {
  /// The part's name, for instance `Breakfast`.
  public var name: String
  /// The sums over ``food``.
  public var metrics: [Metric]
  /// What was eaten.
  public var food: [Food]

  /// Makes a part.
  ///
  /// - Parameters:
  ///   - name: The part's name.
  ///   - metrics: The sums.
  ///   - food: What was eaten.
  public init(name: String, metrics: [Metric], food: [Food] = []) {
    self.name = name
    self.metrics = metrics
    self.food = food
  }

  /// One thing eaten.
  public struct Food: Hashable, Sendable {
    /// What it is.
    public var name: String
    /// Its manufacturer's name.
    public var brand: String?
    /// What the serving holds.
    public var metrics: [Metric]
    /// How much was eaten.
    public var serving: Serving?

    /// Makes a food.
    ///
    /// - Parameters:
    ///   - name: What it is.
    ///   - brand: Its manufacturer's name.
    ///   - metrics: What the serving holds.
    ///   - serving: How much was eaten.
    public init(
      name: String, brand: String? = nil, metrics: [Metric], serving: Serving? = nil
    ) {
      self.name = name
      self.brand = brand
      self.metrics = metrics
      self.serving = serving
    }
  }

  /// An amount of food.
  public struct Serving: Hashable, Sendable {
    /// How many units, 0 or more.
    public var amount: Double
    /// The unit in words, for instance `slice`.
    public var unitName: String

    /// Makes an amount.
    ///
    /// - Parameters:
    ///   - amount: How many units.
    ///   - unitName: The unit in words.
    public init(amount: Double, unitName: String) {
      self.amount = amount
      self.unitName = unitName
    }
  }
}

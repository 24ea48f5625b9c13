// SPDX-License-Identifier: Apache-2.0

/// A unit of one symbol, such as `mL` or `degF`.
struct SimpleUnit: Hashable, Sendable {
  /// The symbol with its prefix.
  let symbol: String
  let kind: UnitKind
  /// The worth of one unit in the kind's base unit.
  let scale: Double
  /// The value of the unit's zero in the base unit; other than 0 for temperatures only.
  let offset: Double

  init(_ symbol: String, _ kind: UnitKind, scale: Double = 1, offset: Double = 0) {
    self.symbol = symbol
    self.kind = kind
    self.scale = scale
    self.offset = offset
  }

  /// The unit with a prefix before its symbol.
  func prefixed(_ prefix: HKMetricPrefix) -> SimpleUnit {
    SimpleUnit(prefix.symbol + symbol, kind, scale: scale * prefix.factor, offset: offset)
  }

  /// Units are the same when their symbols are.
  static func == (lhs: SimpleUnit, rhs: SimpleUnit) -> Bool { lhs.symbol == rhs.symbol }

  func hash(into hasher: inout Hasher) { hasher.combine(symbol) }
}

/// A simple unit and its exponent, which is never 0.
struct UnitFactor: Hashable, Sendable {
  let unit: SimpleUnit
  var exponent: Int
}

/// A product of powers of simple units.
struct UnitProduct: Hashable, Sendable {
  /// Each unit once, in the order in which unit strings have them.
  private(set) var factors: [UnitFactor]

  /// A product of these; powers of the same unit are put together.
  init(_ given: [UnitFactor] = []) {
    var factors: [UnitFactor] = []
    for factor in given {
      if let index = factors.firstIndex(where: { $0.unit == factor.unit }) {
        factors[index].exponent += factor.exponent
      } else {
        factors.append(factor)
      }
    }
    factors.removeAll { $0.exponent == 0 }
    factors.sort { Self.precedes($0.unit, $1.unit) }
    self.factors = factors
  }

  init(_ unit: SimpleUnit) {
    factors = [UnitFactor(unit: unit, exponent: 1)]
  }

  func multiplied(by other: UnitProduct) -> UnitProduct {
    UnitProduct(factors + other.factors)
  }

  func raised(to power: Int) -> UnitProduct {
    UnitProduct(factors.map { UnitFactor(unit: $0.unit, exponent: $0.exponent * power) })
  }

  /// Apple's order depends on addresses; kind, then symbol, gives the strings that its exports
  /// have: `mL/min·kg`, `kcal/hr·kg`.
  private static func precedes(_ lhs: SimpleUnit, _ rhs: SimpleUnit) -> Bool {
    (lhs.kind.rawValue, lhs.symbol) < (rhs.kind.rawValue, rhs.symbol)
  }

  /// The unit string; `()` without factors.
  var string: String {
    let above = Self.product(factors.filter { $0.exponent > 0 })
    let below = Self.product(factors.filter { $0.exponent < 0 })
    return switch (above.isEmpty, below.isEmpty) {
    case (true, true): "()"
    case (false, true): above
    case (true, false): "1/\(below)"
    case (false, false): "\(above)/\(below)"
    }
  }

  private static func product(_ factors: [UnitFactor]) -> String {
    factors.map { factor in
      let exponent = abs(factor.exponent)
      return exponent == 1 ? factor.unit.symbol : "\(factor.unit.symbol)^\(exponent)"
    }
    .joined(separator: "·")
  }

  var dimension: UnitDimension {
    factors.reduce(into: UnitDimension()) { $0[$1.unit.kind] += $1.exponent }
  }

  var scale: Double {
    factors.reduce(1) { result, factor in
      let scale = power(factor.unit.scale, abs(factor.exponent))
      return factor.exponent > 0 ? result * scale : result / scale
    }
  }

  /// An offset has a meaning in a unit alone: `degC` has one, `degC/min` has none.
  var offset: Double {
    factors.count == 1 && factors[0].exponent == 1 ? factors[0].unit.offset : 0
  }
}

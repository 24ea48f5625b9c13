// SPDX-License-Identifier: Apache-2.0

/// One promise of the radio's contract, and how to see whether a radio keeps it.
package struct RadioRule: Sendable, CustomStringConvertible {
  /// What holds.
  package let name: String
  let needs: Set<RadioBench.Ability>
  /// Whether the sessions have restore identifiers.
  let restores: Bool
  let check: @Sendable (Scene) async throws -> Void

  init(
    _ name: String, needs: Set<RadioBench.Ability> = [], restores: Bool = false,
    check: @escaping @Sendable (Scene) async throws -> Void
  ) {
    self.name = name
    self.needs = needs
    self.restores = restores
    self.check = check
  }

  /// The whole contract.
  package static let all = [
    beginning, scanning, connecting, requests, serving, sharing, channels, restoring,
  ].flatMap(\.self)

  /// What holds.
  package var description: String { name }

  /// Whether the bench can show that the rule holds.
  package func applies(to bench: RadioBench) -> Bool { needs.isSubset(of: bench.abilities) }

  /// What the radios of a fresh bench do against this rule, or against those that always hold.
  package func violations(on bench: RadioBench) async -> [String] {
    guard applies(to: bench) else { return [] }
    let scene = Scene(bench, restores: restores)
    var violations: [String] = []
    do {
      try await check(scene)
    } catch {
      violations.append("\(error)")
    }
    scene.end()
    return violations + scene.complaints
  }
}

/// What was seen, or not.
struct RadioViolation: Error, CustomStringConvertible {
  let description: String
}

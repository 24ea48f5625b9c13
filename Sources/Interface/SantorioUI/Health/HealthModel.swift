// SPDX-License-Identifier: Apache-2.0

import Foundation
@unsafe @preconcurrency import HealthKit
public import SantorioHealthKit

/// Lets a person choose what is read from HealthKit, and asks the system for permission.
@MainActor public final class HealthModel: ViewModel<HealthModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// What can be read.
    public internal(set) var sets = HealthKitSubscriptionSet.allCases.map { Row($0) }
    /// What happens.
    public internal(set) var step = Step.idle
    /// What the app lacks to read HealthKit; nil before that was looked for.
    public internal(set) var findings: [Phrase]?

    /// What is said about the step; nil when there is nothing to say.
    public var message: Phrase? {
      switch step {
      case .idle, .asking: nil
      case .saved: Phrase(sets.contains(where: \.isOn) ? .healthSaved : .healthNothing)
      case .failed(let problem): problem.text
      }
    }
  }

  /// What happens.
  public enum Step: Hashable, Sendable {
    /// Nothing.
    case idle
    /// The system asks the person.
    case asking
    /// It is read what was chosen.
    case saved
    /// Nothing was changed, and what to do.
    case failed(Problem)
  }

  /// A set of kinds of data.
  public struct Row: Hashable, Sendable, Identifiable {
    /// The set.
    public let content: HealthKitSubscriptionSet
    /// Whether it is chosen.
    public internal(set) var isOn = false
    /// The number of the set.
    public var id: Int { content.rawValue }
    /// Its name.
    public var title: Phrase { Phrase(content.texts.title) }
    /// What it contains.
    public var detail: Phrase { Phrase(content.texts.detail) }

    init(_ content: HealthKitSubscriptionSet) { self.content = content }
  }

  private let manager: HealthKitManager
  /// What the person has chosen since it was looked up.
  private var choices: [HealthKitSubscriptionSet: Bool] = [:]
  private var watch: PersonWatch?

  /// A model of what a manager reads.
  ///
  /// - Parameter manager: The manager.
  public init(_ manager: HealthKitManager) {
    self.manager = manager
    super.init(State())
    watch = PersonWatch(manager.session) { [weak self] in self?.giveUp() }
  }

  /// Another person has signed in, who has chosen nothing yet.
  private func giveUp() {
    choices = [:]
    update { state in
      for index in state.sets.indices { state.sets[index].isOn = false }
      if state.step != .asking { state.step = .idle }
    }
    Task { await load() }
  }

  /// Looks up what is read; to be called when the screen appears.
  public func load() async {
    do throws(HealthKitError) {
      let types = try await manager.subscriptions()
      update { state in
        for index in state.sets.indices {
          let set = state.sets[index].content
          state.sets[index].isOn = choices[set] ?? set.sampleTypes.isSubset(of: types)
        }
        if case .failed = state.step { state.step = .idle }
      }
    } catch {
      update { $0.step = .failed(Problem(error)) }
    }
  }

  /// Chooses a set, or takes it back; ``apply()`` makes it so.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - isOn: Whether it is to be read.
  public func choose(_ set: HealthKitSubscriptionSet, isOn: Bool) {
    choices[set] = isOn
    update { state in
      for index in state.sets.indices where state.sets[index].content == set {
        state.sets[index].isOn = isOn
      }
      state.step = .idle
    }
  }

  /// Asks the system for permission, and reads what was chosen from then on.
  ///
  /// What the person has not touched stays as it is. What the person allows no app is told.
  public func apply() async {
    guard state.step != .asking else { return }
    update { $0.step = .asking }
    do throws(HealthKitError) {
      let chosen = choices
      var types = try await manager.subscriptions()
      for (set, isOn) in chosen where !isOn { types.subtract(set.sampleTypes) }
      for set in state.sets where set.isOn { types.formUnion(set.content.sampleTypes) }
      try await manager.setSubscriptions(types)
      choices = choices.filter { chosen[$0.key] != $0.value }
      await load()
      update { $0.step = .saved }
    } catch {
      update { $0.step = .failed(Problem(error)) }
    }
  }

  /// Looks for what the app lacks to read HealthKit.
  public func check() async { await check(information: nil) }

  func check(information: [String: any Sendable]?) async {
    let findings = await HealthKitSelfTest(of: manager, information: information).run()
    // What an app lacks its developers mend; a person passes the words on.
    update { $0.findings = findings.map { Phrase(.healthMissing, .verbatim($0.message)) } }
  }
}

extension HealthKitSubscriptionSet {
  fileprivate var texts: (title: TextKey, detail: TextKey) {
    switch self {
    case .routine: (.setRoutine, .setRoutineDetail)
    case .diabetes: (.setDiabetes, .setDiabetesDetail)
    case .weight: (.setWeight, .setWeightDetail)
    case .fitness: (.setFitness, .setFitnessDetail)
    case .sleep: (.setSleep, .setSleepDetail)
    case .basicNutrition: (.setNutrition, .setNutritionDetail)
    case .reproductiveHealth: (.setReproductive, .setReproductiveDetail)
    case .biometrics: (.setBiometrics, .setBiometricsDetail)
    }
  }
}

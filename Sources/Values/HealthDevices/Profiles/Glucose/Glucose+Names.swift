// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

// The names of findings for the values of open lists; nil for reserved values and for those without
// information.

extension GlucoseSample.Fluid {
  var name: String? {
    switch self {
    case .capillaryWholeBlood: "capillary_whole_blood"
    case .capillaryPlasma: "capillary_plasma"
    case .venousWholeBlood: "venous_whole_blood"
    case .venousPlasma: "venous_plasma"
    case .arterialWholeBlood: "arterial_whole_blood"
    case .arterialPlasma: "arterial_plasma"
    case .undeterminedWholeBlood: "undetermined_whole_blood"
    case .undeterminedPlasma: "undetermined_plasma"
    case .interstitialFluid: "interstitial_fluid"
    case .controlSolution: "control_solution"
    default: nil
    }
  }
}

extension GlucoseSample.Location {
  var name: String? {
    switch self {
    case .finger: "finger"
    case .alternateSite: "alternate_site"
    case .earlobe: "earlobe"
    case .controlSolution: "control_solution"
    case .subcutaneousTissue: "subcutaneous_tissue"
    default: nil
    }
  }
}

extension GlucoseMeasurementContext.Meal {
  /// The reserved value by which CareSens meters mark a ketone test.
  static let ketone = Self(rawValue: 6)

  var relation: MealRelationship? {
    switch self {
    case .preprandial: .before
    case .postprandial: .after
    case .fasting: .fasting
    case .casual: .random
    default: nil
    }
  }
}

extension GlucoseMeasurementContext.Carbohydrate.Occasion {
  var name: String? {
    switch self {
    case .breakfast: "breakfast"
    case .lunch: "lunch"
    case .dinner: "dinner"
    case .snack: "snack"
    case .drink: "drink"
    case .supper: "supper"
    case .brunch: "brunch"
    default: nil
    }
  }
}

extension GlucoseMeasurementContext.Tester {
  var name: String? {
    switch self {
    case .patient: "self"
    case .healthCareProfessional: "health_care_professional"
    case .laboratory: "laboratory"
    default: nil
    }
  }
}

extension GlucoseMeasurementContext.Health {
  var name: String? {
    switch self {
    case .minorIssues: "minor_issues"
    case .majorIssues: "major_issues"
    case .duringMenses: "during_menses"
    case .underStress: "under_stress"
    case .noIssues: "no_issues"
    default: nil
    }
  }
}

extension GlucoseMeasurementContext.Medication.Kind {
  var name: String? {
    switch self {
    case .rapidActingInsulin: "rapid_acting_insulin"
    case .shortActingInsulin: "short_acting_insulin"
    case .intermediateActingInsulin: "intermediate_acting_insulin"
    case .longActingInsulin: "long_acting_insulin"
    case .preMixedInsulin: "pre_mixed_insulin"
    default: nil
    }
  }
}

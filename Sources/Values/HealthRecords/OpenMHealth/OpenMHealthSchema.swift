// SPDX-License-Identifier: Apache-2.0

/// The name of a schema of bodies, as the header states it.
struct OpenMHealthSchema: Hashable, Sendable {
  let namespace: String
  let name: String
  let version: String

  private init(_ namespace: String, _ name: String, _ version: String) {
    self.namespace = namespace
    self.name = name
    self.version = version
  }

  static let bloodGlucose = Self("omh", "blood-glucose", "4.0")
  static let bloodPressure = Self("omh", "blood-pressure", "4.0")
  static let bodyFatPercentage = Self("omh", "body-fat-percentage", "2.0")
  static let bodyHeight = Self("omh", "body-height", "2.0")
  static let bodyMassIndex = Self("omh", "body-mass-index", "3.0")
  static let bodyTemperature = Self("omh", "body-temperature", "4.0")
  static let bodyWeight = Self("omh", "body-weight", "3.0")
  static let caloriesBurned = Self("omh", "calories-burned", "2.0")
  static let expiratoryVolume = Self("omh", "forced-expiratory-volume-1-second", "1.0")
  static let heartRate = Self("omh", "heart-rate", "2.0")
  static let oxygenSaturation = Self("omh", "oxygen-saturation", "2.0")
  static let respiratoryRate = Self("omh", "respiratory-rate", "2.0")
  static let rrInterval = Self("omh", "rr-interval", "1.0")
  static let vitalCapacity = Self("omh", "forced-vital-capacity", "1.0")
  static let physicalActivity = Self("ieee", "physical-activity", "1.0")
  static let sleepEpisode = Self("ieee", "sleep-episode", "1.0")
  static let timeInBed = Self("ieee", "time-in-bed", "1.0")
}

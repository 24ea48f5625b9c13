// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an app asks the user for.
package struct HealthPermissionRequest: Sendable {
  /// What it wants to save, and was not asked for before.
  package let toShare: Set<String>
  /// What it wants to read, and was not asked for before.
  package let toRead: Set<String>
}

/// What the user allows.
package struct HealthPermissionAnswer: Sendable {
  /// What the app may save.
  package var share: Set<String>
  /// What the app may read.
  package var read: Set<String>

  package init(share: Set<String>, read: Set<String>) {
    self.share = share
    self.read = read
  }

  /// Everything that was asked for.
  package static func all(_ request: HealthPermissionRequest) -> Self {
    Self(share: request.toShare, read: request.toRead)
  }
}

/// What an app was allowed, by identifiers of types; the store keeps it under the app's name.
struct HealthPermissions: Codable {
  var share: [String: Bool] = [:]
  var read: [String: Bool] = [:]

  static func name(_ app: HKSource) -> String { "permissions of \(app.bundleIdentifier)" }
}

extension HealthSystem {
  /// What the app was allowed; on the queue only.
  func permissions(_ database: HealthDatabase) throws -> HealthPermissions {
    if let permissions { return permissions }
    let text = try database.state(HealthPermissions.name(revision.source))
    let read = try text.map { try MetadataCoding.value($0, as: HealthPermissions.self) }
    permissions = read ?? HealthPermissions()
    return read ?? HealthPermissions()
  }

  /// Asks the user for what was not decided before.
  func request(toShare: Set<HKSampleType>, toRead: Set<HKObjectType>) throws {
    try change { database in
      var known = try permissions(database)
      let request = HealthPermissionRequest(
        toShare: Set(toShare.map(\.identifier).filter { known.share[$0] == nil }),
        toRead: Set(toRead.map(\.identifier).filter { known.read[$0] == nil }))
      guard !request.toShare.isEmpty || !request.toRead.isEmpty else { return }
      let answer = answer(request)
      for type in request.toShare { known.share[type] = answer.share.contains(type) }
      for type in request.toRead { known.read[type] = answer.read.contains(type) }
      try keep(known, database)
    }
  }

  /// Changes what the app may do, as the user can in the settings.
  package func decide(share: [String: Bool] = [:], read: [String: Bool] = [:]) throws {
    try queue.sync {
      try change { database in
        var known = try permissions(database)
        known.share.merge(share) { $1 }
        known.read.merge(read) { $1 }
        try keep(known, database)
      }
    }
  }

  /// Changes permissions; those to a store that may not be written hold for this process.
  private func change(_ body: (HealthDatabase) throws -> Void) throws {
    if isReadOnly { try read(body) } else { try write(body) }
  }

  private func keep(_ known: HealthPermissions, _ database: HealthDatabase) throws {
    if !database.isReadOnly {
      try database.setState(
        HealthPermissions.name(revision.source), MetadataCoding.text(known))
    }
    permissions = known
  }

  /// Whether the app may save a type.
  func status(_ type: HKObjectType) throws -> HKAuthorizationStatus {
    try translatedPermissions().share[type.identifier].map {
      $0 ? .sharingAuthorized : .sharingDenied
    } ?? .notDetermined
  }

  private func translatedPermissions() throws -> HealthPermissions {
    try readSettings(permissions)
  }

  /// Throws unless the app may save all types of some objects.
  func requireSharing(_ objects: [HKObject]) throws {
    let known = try translatedPermissions()
    for type in Set(objects.flatMap(\.typesToSave)) {
      switch known.share[type.identifier] {
      case true?: break
      case false?:
        throw HKError.error(
          .errorAuthorizationDenied, "The user does not allow the app to save \(type.identifier).")
      case nil:
        throw HKError.error(
          .errorAuthorizationNotDetermined,
          "The app has not asked for permission to save \(type.identifier).")
      }
    }
  }

  /// The requests of a query, limited to what the app may read of each type.
  ///
  /// A type that the user does not allow looks as if others had saved nothing of it.
  func requests(_ asked: [SampleRequest], _ database: HealthDatabase) throws -> [SampleRequest] {
    let known = try permissions(database)
    return try asked.map { asked in
      var request = asked
      for type in asked.type.typesToRead {
        switch known.read[type.identifier] {
        case true?: break
        case false?: request.only = revision.source
        case nil where known.share[type.identifier] == true: request.only = revision.source
        case nil:
          throw HKError.error(
            .errorAuthorizationNotDetermined,
            "The app has not asked for permission to read \(type.identifier).")
        }
      }
      return request
    }
  }
}

extension HKObject {
  /// The types that must be allowed for the object to be saved.
  var typesToSave: [HKObjectType] {
    if let correlation = self as? HKCorrelation { return correlation.objects.map(\.sampleType) }
    return (self as? HKSample).map { [$0.sampleType] } ?? []
  }
}

extension HKObjectType {
  /// The types that must be allowed for this one to be read: of a correlation those of its parts.
  var typesToRead: [HKObjectType] {
    guard self is HKCorrelationType else { return [self] }
    guard identifier == HKCorrelationTypeIdentifier.bloodPressure.rawValue else { return [] }
    return [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
  }

  /// Why an app cannot be allowed to save the type; nil if it can.
  var whyNotShared: String? {
    if self is HKCorrelationType { return "ask for the types of its parts" }
    guard self is HKSampleType else { return "it is no type of samples" }
    let system: Set<String> = [
      HKQuantityTypeIdentifier.appleExerciseTime.rawValue,
      HKQuantityTypeIdentifier.appleMoveTime.rawValue,
      HKQuantityTypeIdentifier.appleStandTime.rawValue,
      HKQuantityTypeIdentifier.walkingHeartRateAverage.rawValue,
      HKQuantityTypeIdentifier.appleWalkingSteadiness.rawValue,
      HKCategoryTypeIdentifier.appleStandHour.rawValue,
    ]
    return system.contains(identifier) ? "only the system saves it" : nil
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Assigns services to applications at bluetoothd.
///
/// Each service has its own application, so that it can be added and removed separately. Services
/// that include others share one with them, because bluetoothd looks for included services within
/// the same application only.
struct ApplicationPlan {
  /// The number of an application; numbers are not reused.
  typealias Number = Int

  /// The applications to add and remove.
  struct Change: Equatable {
    var retired: [Number] = []
    var made: Number?
  }

  private(set) var applications: [Number: [LocalService]] = [:]
  private var last = 0

  /// Adds a service, after those that it includes.
  mutating func add(_ service: LocalService) -> Change {
    let retired = applications.filter { application in
      application.value.contains { service.includedServices.contains($0.id) }
    }.keys.sorted()
    let joined = retired.flatMap { applications.removeValue(forKey: $0) ?? [] }
    return Change(retired: retired, made: make(joined + [service]))
  }

  /// Removes a service; those that share its application get a new one.
  mutating func remove(_ id: LocalAttribute) -> Change {
    guard let entry = applications.first(where: { $0.value.contains { $0.id == id } })
    else { return Change() }
    applications[entry.key] = nil
    let rest = entry.value.filter { $0.id != id }
    return Change(retired: [entry.key], made: rest.isEmpty ? nil : make(rest))
  }

  /// Removes all services.
  mutating func removeAll() -> Change {
    defer { applications = [:] }
    return Change(retired: applications.keys.sorted())
  }

  private mutating func make(_ services: [LocalService]) -> Number {
    last += 1
    applications[last] = services
    return last
  }
}

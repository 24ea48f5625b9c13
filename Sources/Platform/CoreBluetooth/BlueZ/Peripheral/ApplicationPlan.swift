// SPDX-License-Identifier: Apache-2.0

/// Which services make up an application at bluetoothd.
///
/// Each has one of its own, so that it can come and go alone. Services that include others have to
/// share one with them, for bluetoothd looks for included services within the application only.
struct ApplicationPlan {
  /// An application; numbers are not used twice.
  typealias Number = Int

  /// What has to be done.
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

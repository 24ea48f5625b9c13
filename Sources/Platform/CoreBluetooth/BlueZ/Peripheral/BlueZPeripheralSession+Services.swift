// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// An application that was registered with bluetoothd.
struct PublishedApplication {
  let application: GattApplication
  /// Releasing it removes the objects.
  let registration: DBusRegistration
}

/// A characteristic that bluetoothd knows.
struct PublishedAttribute {
  let characteristic: LocalCharacteristic
  let path: String
}

// Everything here runs on the host's queue.
extension BlueZPeripheralSession {
  func publish(_ service: LocalService) {
    // bluetoothd requires at least one flag for each characteristic.
    guard service.characteristics.allSatisfy({ !$0.flags.isEmpty }) else {
      return send(.serviceAdded(service.id, .system(.invalidParameters)))
    }
    keep { $0.services.append(service) }
    unanswered.insert(service.id)
    apply(plan.add(service))
  }

  func withdraw(_ id: LocalAttribute) {
    unanswered.remove(id)
    keep { $0.removeServices { $0.id == id } }
    apply(plan.remove(id))
  }

  func withdrawAll() {
    unanswered = []
    keep { $0.removeServices { _ in true } }
    apply(plan.removeAll())
  }

  /// Adds and removes applications at bluetoothd as planned.
  func apply(_ change: ApplicationPlan.Change) {
    for number in change.retired { retire(number) }
    if let number = change.made { make(number) }
  }

  // MARK: - Applications

  private func make(_ number: ApplicationPlan.Number) {
    guard let services = plan.applications[number] else { return }
    guard let connection = host.connection, let adapter = host.adapter else {
      return fail(number, .system(.notConnected))
    }
    let application = GattApplication(
      services, root: "\(root)/application\(number)", server: self)
    do throws(DBusError) {
      let registration = try connection.publish(application.objects, root: application.root)
      applications[number] = PublishedApplication(
        application: application, registration: registration)
    } catch {
      return fail(number, RadioError(publishing: error))
    }
    let call = BlueZ.call(
      adapter, BlueZ.gattManager, "RegisterApplication", .objectPath(application.root),
      .properties([:]))
    connection.call(call) { [weak self, weak application] result in
      guard let self, let application, isCurrent(application, number) else { return }
      switch result {
      case .success: finish(application)
      case .failure(let error): fail(number, RadioError(publishing: error))
      }
    }
  }

  private func isCurrent(
    _ application: GattApplication, _ number: ApplicationPlan.Number
  ) -> Bool {
    applications[number]?.application === application
  }

  private func finish(_ application: GattApplication) {
    for service in application.services {
      for characteristic in service.characteristics {
        guard let path = application.paths[characteristic.id] else { continue }
        attributes[characteristic.id] = PublishedAttribute(
          characteristic: characteristic, path: path)
      }
      if unanswered.remove(service.id) != nil { send(.serviceAdded(service.id, nil)) }
    }
  }

  /// Reports failure for services whose publication is not answered; retries the others.
  private func fail(_ number: ApplicationPlan.Number, _ error: RadioError) {
    let services = plan.applications[number] ?? []
    let refused = services.filter { unanswered.remove($0.id) != nil }
    for service in refused {
      apply(plan.remove(service.id))
      keep { $0.record(.serviceAdded(service.id, error)) }
      send(.serviceAdded(service.id, error))
    }
    if refused.isEmpty { retire(number) }
  }

  private func retire(_ number: ApplicationPlan.Number) {
    guard let entry = applications.removeValue(forKey: number) else { return }
    if let adapter = host.adapter {
      host.connection?.send(
        BlueZ.call(
          adapter, BlueZ.gattManager, "UnregisterApplication",
          .objectPath(entry.application.root)))
    }
    entry.registration.cancel()
    for id in entry.application.paths.keys.sorted() {
      attributes[id] = nil
      endSubscriptions(to: id)
    }
  }
}

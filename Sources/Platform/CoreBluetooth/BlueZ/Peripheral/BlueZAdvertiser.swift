// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// One advertisement at bluetoothd (BlueZ, doc/advertising-api.txt); used on the host's queue.
final class BlueZAdvertiser {
  private let host: BlueZHost
  private let path: String
  private var registration: DBusRegistration?
  private var completion: (@Sendable (RadioError?) -> Void)?

  private static let interface = "org.bluez.LEAdvertisement1"
  private static let manager = "org.bluez.LEAdvertisingManager1"

  init(_ host: BlueZHost, path: String) {
    self.host = host
    self.path = path
  }

  /// Advertises the data that fits; the completion is called once, on the host's queue.
  func start(
    _ advertisement: RadioAdvertisement, completion: @escaping @Sendable (RadioError?) -> Void
  ) {
    guard let connection = host.connection, let adapter = host.adapter else {
      return completion(.system(.notConnected))
    }
    self.completion = completion
    do throws(DBusError) {
      let object = DBusObject(
        path,
        [
          DBusInterface(
            name: Self.interface, properties: AdvertisementSpace.fit(advertisement).properties,
            methods: ["Release": { $0.reply() }])
        ])
      registration = try connection.publish([object], root: path)
    } catch {
      return finish(RadioError(publishing: error))
    }
    let call = BlueZ.call(
      adapter, Self.manager, "RegisterAdvertisement", .objectPath(path), .properties([:]))
    connection.call(call) { [weak self] result in
      switch result {
      case .success: self?.finish(nil)
      case .failure(let error): self?.finish(RadioError(publishing: error))
      }
    }
  }

  private func finish(_ error: RadioError?) {
    if error != nil { registration = nil }
    completion?(error)
    completion = nil
  }

  /// Stops advertising, or cancels a start that is not answered yet.
  func stop() {
    if registration != nil, let adapter = host.adapter {
      host.connection?.send(
        BlueZ.call(adapter, Self.manager, "UnregisterAdvertisement", .objectPath(path)))
    }
    registration = nil
    finish(.system(.operationCancelled))
  }
}

extension RadioAdvertisement {
  /// The properties of the object.
  fileprivate var properties: [String: DBusValue] {
    var result: [String: DBusValue] = ["Type": .string(isConnectable ? "peripheral" : "broadcast")]
    // Sets the flags that make the device discoverable for phones and bluetoothd's own scanners.
    if isConnectable { result["Discoverable"] = .boolean(true) }
    if !services.isEmpty { result["ServiceUUIDs"] = .strings(services.map(\.advertised)) }
    if !solicitedServices.isEmpty {
      result["SolicitUUIDs"] = .strings(solicitedServices.map(\.advertised))
    }
    if let localName, !localName.isEmpty { result["LocalName"] = .string(localName) }
    if !serviceData.isEmpty {
      let entries = serviceData.map { ($0.advertised, DBusValue.bytes($1)) }
      result["ServiceData"] = .properties(Dictionary(entries) { first, _ in first })
    }
    if let data = manufacturerData, data.count >= 2 {
      let bytes = Array(data)
      let company = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
      result["ManufacturerData"] = .dictionary(
        [.uint16(company): .variant(.bytes(Data(bytes.dropFirst(2))))], key: "q", value: "v")
    }
    return result
  }
}

// Everything here runs on the host's queue.
extension BlueZPeripheralSession {
  /// Advertises for the manager or, without an answer, for an earlier process.
  func advertise(_ advertisement: RadioAdvertisement, answers: Bool) {
    guard advertiser == nil else {
      return send(.advertisingStarted(.system(.alreadyAdvertising)))
    }
    keep { $0.advertisement = advertisement }
    advertisements += 1
    let advertiser = BlueZAdvertiser(host, path: "\(root)/advertisement\(advertisements)")
    self.advertiser = advertiser
    advertiser.start(advertisement) { [weak self, weak advertiser] error in
      guard let self else { return }
      if error != nil, self.advertiser === advertiser {
        self.advertiser = nil
        keep { $0.advertisement = nil }
      }
      if answers { send(.advertisingStarted(error)) }
    }
  }

  func endAdvertising() {
    keep { $0.advertisement = nil }
    let ended = advertiser
    advertiser = nil
    ended?.stop()
  }
}

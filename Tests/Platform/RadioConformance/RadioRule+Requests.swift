// SPDX-License-Identifier: Apache-2.0

extension RadioRule {
  private typealias Attribute = DeviceSide.Attribute
  // Not stored: LeakSanitizer does not know the marked pointer by which a static Data is kept.
  private static var long: Data { Data((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 7) }) }

  static let requests = discovering + reading + writing

  private static let discovering = [
    RadioRule("discovery finds what is published, in order, with its properties") { scene in
      let remote = try await scene.open()
      let types = [
        Attribute.fixed, Attribute.asked, Attribute.written, Attribute.notified,
        Attribute.indicated, Attribute.protected,
      ].map(Scene.uuid)
      let properties: [CBCharacteristicProperties] = [
        .read, .read, [.write, .writeWithoutResponse], .notify, .indicate, .read,
      ]
      try scene.require(remote.characteristics.map(\.uuid) == types, "the characteristics")
      try scene.require(remote.characteristics.map(\.properties) == properties, "the properties")
      let handles = [remote.service] + remote.characteristics.map(\.handle)
      try scene.require(Set(handles).count == 7, "a handle each")
    },
    RadioRule("discovery finds only what was asked for") { scene in
      let remote = try await scene.open()
      let none = try await scene.ask(.discoverServices([Scene.otherService]), remote.peer)
      try scene.require(none == .services([]), "no service of another type")
      let one = [Scene.uuid(Attribute.asked)]
      let found = try await scene.ask(
        .discoverCharacteristics(one, of: remote.service), remote.peer)
      guard case .characteristics(let characteristics) = found else {
        throw RadioViolation(description: "an answer of characteristics")
      }
      try scene.require(characteristics.map(\.uuid) == one, "the one characteristic")
    },
    RadioRule("descriptors are discovered and read") { scene in
      let remote = try await scene.open()
      let found = try await scene.ask(
        .discoverDescriptors(of: remote[Attribute.fixed]), remote.peer)
      guard case .descriptors(let descriptors) = found,
        let described = descriptors.first(where: { $0.uuid == BluetoothUUID(0x2901) })
      else { throw RadioViolation(description: "the description is discovered") }
      let value = try await scene.ask(.read(described.handle), remote.peer)
      try scene.require(value == .value(LocalService.description), "its value")
    },
    RadioRule("the signal of a link has a strength") { scene in
      let peer = try await scene.connect()
      guard case .rssi(let value) = try await scene.ask(.readRSSI, peer) else {
        throw RadioViolation(description: "an answer in dBm")
      }
      try scene.require((-127..<20).contains(value), "a strength in dBm")
    },
  ]

  private static let reading = [
    RadioRule("a fixed value is served without asking the device") { scene in
      let remote = try await scene.open()
      let value = try await scene.ask(.read(remote[Attribute.fixed]), remote.peer)
      try scene.require(value == .value(LocalService.fixedValue), "the value")
      try scene.require(scene.device.offsetsRead.isEmpty, "the device was not asked")
    },
    RadioRule("a long value is read whole") { scene in
      let remote = try await scene.open()
      scene.device.answer(Attribute.asked, .success(long))
      let value = try await scene.ask(.read(remote[Attribute.asked]), remote.peer)
      try scene.require(value == .value(long), "all 500 bytes")
      let offsets = scene.device.offsetsRead
      try scene.require(offsets.first == 0 && offsets == offsets.sorted(), "growing offsets")
    },
    RadioRule("an error of the device reaches the client with its number") { scene in
      let remote = try await scene.open()
      guard let code = CBATTError.Code(rawValue: 0x80) else { return }
      scene.device.answer(Attribute.asked, .failure(.attribute(code)))
      let read = try await scene.result(of: .read(remote[Attribute.asked]), remote.peer)
      try scene.require(read == .failure(.attribute(code)), "the error of the read")
    },
    RadioRule("the error of a write reaches the client, too", needs: [.answersEveryWrite]) {
      scene in
      let remote = try await scene.open()
      guard let code = CBATTError.Code(rawValue: 0x80) else { return }
      scene.device.answer(Attribute.written, .failure(.attribute(code)))
      let write = try await scene.result(
        of: .write(Data([1]), remote[Attribute.written]), remote.peer)
      try scene.require(write == .failure(.attribute(code)), "the error of the write")
    },
    RadioRule("the radio enforces what an attribute permits") { scene in
      let remote = try await scene.open()
      let read = try await scene.result(of: .read(remote[Attribute.written]), remote.peer)
      try scene.require(read == .failure(.attribute(.readNotPermitted)), "not readable")
      let write = try await scene.result(
        of: .write(Data([1]), remote[Attribute.fixed]), remote.peer)
      try scene.require(write == .failure(.attribute(.writeNotPermitted)), "not writeable")
      try scene.require(
        scene.device.writes.isEmpty && scene.device.offsetsRead.isEmpty, "nobody was asked")
    },
    RadioRule("a protected value is read after pairing, by itself") { scene in
      let remote = try await scene.open()
      scene.device.answer(Attribute.protected, .success(Data([0x42])))
      let value = try await scene.ask(.read(remote[Attribute.protected]), remote.peer)
      try scene.require(value == .value(Data([0x42])), "the value")
    },
  ]

  private static let writing = [
    RadioRule("a short write reaches the device as one part") { scene in
      let remote = try await scene.open()
      let done = try await scene.ask(
        .write(Data([1, 2, 3]), remote[Attribute.written]), remote.peer)
      try scene.require(done == .done, "done")
      let part = WritePart(characteristic: Attribute.written, offset: 0, value: Data([1, 2, 3]))
      try scene.require(scene.device.writes == [[part]], "one request of one part")
    },
    RadioRule("a long write reaches the device whole, at once") { scene in
      let remote = try await scene.open()
      _ = try await scene.ask(.write(long, remote[Attribute.written]), remote.peer)
      try scene.require(scene.device.writes.count == 1, "one request")
      var value = Data()
      for part in scene.device.writes.joined() {
        try scene.require(part.offset == value.count, "parts without a gap")
        value += part.value
      }
      try scene.require(value == long, "all 500 bytes")
    },
    RadioRule("writes without response arrive in order") { scene in
      let remote = try await scene.open()
      let numbers = (0..<10 as Range<UInt8>).map {
        scene.central.perform(
          .writeWithoutResponse(Data([$0]), remote[Attribute.written]), on: remote.peer)
      }
      try await scene.until("ten writes") { [device = scene.device] in device.writes.count == 10 }
      let values = scene.device.writes.joined().map(\.value)
      try scene.require(values == (0..<10 as Range<UInt8>).map { Data([$0]) }, "in order")
      try await scene.until("room after each") { [central = scene.central] in
        numbers.allSatisfy { central.answer(to: $0) == .success(.done) }
      }
    },
  ]
}

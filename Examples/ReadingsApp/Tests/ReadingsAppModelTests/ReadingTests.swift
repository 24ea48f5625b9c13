// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import ReadingsAppModel
import Santorio
import SantorioUI
import Testing
import VirtualDevices

@Suite(.timeLimit(.minutes(15))) @MainActor struct `A device in the app` {
  private func signedIn() async throws -> TestPhone {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    return phone
  }

  private func row(_ chooser: DeviceChooserModel, on phone: TestPhone) throws
    -> DeviceChooserModel.Row
  {
    let rows = chooser.state.sections.flatMap(\.devices)
    return try #require(rows.first { $0.id == phone.monitor.id })
  }

  @Test func `is paired, then read, and its readings are at the server once`() async throws {
    let phone = try await signedIn()
    let context = try #require(phone.context())
    let chooser = DeviceChooserModel(receiver: context.receiver)
    await chooser.load()
    #expect(try row(chooser, on: phone).mustBePaired)
    #expect(await phone.pair())
    await chooser.load()
    #expect(try !row(chooser, on: phone).mustBePaired)

    let reading = ReadingModel(phone.monitor, context)
    reading.start()
    #expect(await phone.advance { reading.state.step == .useNow })
    await phone.measure(Readings.first, Readings.second)
    #expect(await phone.advance { reading.state.step == .review })
    await phone.app.refresh()
    #expect(phone.app.state.waitingCount == 2)
    #expect(try await phone.server.metrics().isEmpty)
    reading.confirm()
    #expect(await phone.advance { reading.state.step == .sent(2) })
    try await phone.wait { try await context.session.pendingCount() == 0 }
    #expect(try await phone.server.metrics().compactMap { $0["systolic"] } == [125, 134])
    await phone.app.refresh()
    #expect(phone.app.state.waitingCount == 0)
  }

  @Test func `leaves readings to be checked at the next launch`() async throws {
    let phone = try await signedIn()
    let reading = ReadingModel(phone.monitor, try #require(phone.context()))
    await phone.measure(Readings.first)
    reading.start()
    #expect(await phone.advance { reading.state.step == .review })
    try await phone.relaunch()
    #expect(phone.app.state.tab == .review)
    #expect(phone.app.state.waitingCount == 1)
    let review = ReviewModel(try #require(phone.context()))
    await review.load()
    await review.decline()
    await phone.app.refresh()
    #expect(phone.app.state.waitingCount == 0)
  }

  @Test func `of another person is paired only if it is taken over`() async throws {
    let phone = try await signedIn()
    #expect(await phone.pair())
    await (try phone.account()).signOut()
    let other = try await phone.server.addPerson("bed-13")
    await phone.signIn(other, at: phone.server.address)
    let services = try #require(phone.app.services)
    let pairing = PairingModel(phone.monitor, services.context(in: phone.app.units))
    phone.virtual.enterPairingMode()
    pairing.start()
    #expect(await phone.advance { !pairing.state.isBusy })
    guard case .failed = pairing.state.step else { throw Failure() }
    let context = services.context(in: phone.app.units, takingOver: true)
    let takingOver = PairingModel(phone.monitor, context)
    phone.virtual.enterPairingMode()
    takingOver.start()
    #expect(await phone.advance { !takingOver.state.isBusy && phone.radio.connectedPeers.isEmpty })
    guard case .paired = takingOver.state.step else { throw Failure() }
    let passive = PassiveModel(services.passive)
    await passive.turn(on: true)
    // For an hour after the change, it could be the first person's: a clock may be wrong.
    await phone.measure(Readings.first, after: .seconds(2 * 3600))
    let server = phone.server
    #expect(await phone.advance { (try? await server.metrics(of: other).count) == 1 })
    await (try phone.account()).signOut()
    try await phone.signIn()
    let chooser = DeviceChooserModel(receiver: services.passive.receiver)
    await chooser.load()
    #expect(try !row(chooser, on: phone).isOwn)
    #expect(try await phone.server.metrics().isEmpty)
  }

  @Test func `shows its values in the units that the person has chosen`() async throws {
    let phone = try await signedIn()
    #expect(phone.app.units.pressure == .millimetersOfMercury)
    phone.app.makeUnits().choose(pressure: .kilopascals)
    #expect(phone.app.units.pressure == .kilopascals)
    #expect(phone.context()?.units.pressure == .kilopascals)
    try await phone.relaunch()
    #expect(phone.app.units.pressure == .kilopascals)
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Automatic reading in the app` {
  /// A phone whose person reads the monitor automatically.
  private func reading() async throws -> TestPhone {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    #expect(await phone.pair())
    let passive = PassiveModel(try #require(phone.app.services?.passive))
    await passive.turn(on: true)
    #expect(passive.state.problem == nil)
    return phone
  }

  @Test func `goes on after a launch by the system, and says what it has read`() async throws {
    let phone = try await reading()
    try await phone.relaunch()
    let passive = try #require(phone.app.services?.passive)
    #expect(await phone.advance { passive.peripheralIDs == [phone.monitor.id] })
    await phone.measure(Readings.first)
    #expect(await phone.advance { !phone.notices.shown.isEmpty })
    let notice = try #require(phone.notices.shown.first)
    #expect(notice.title == AppText(.wasRead, phone.monitor.name))
    #expect(notice.body == AppText(.newReadings, "1"))
    let session = try #require(phone.app.services?.session)
    try await phone.wait { try await session.pendingCount() == 0 }
    #expect(try await phone.server.metrics().count == 1)
  }

  @Test func `does not ask for Bluetooth at a launch`() async throws {
    let phone = try await reading()
    // As by "Reset Location & Privacy".
    phone.radio.askForPermission()
    try await phone.relaunch()
    let passive = try #require(phone.app.services?.passive)
    #expect(await !phone.advance(minutes: 1) { !passive.peripheralIDs.isEmpty })
    phone.radio.state = .poweredOn
    try await phone.relaunch()
    #expect(await phone.advance { phone.app.services?.passive.peripheralIDs.isEmpty == false })
  }

  @Test func `says nothing while the app is open`() async throws {
    let phone = try await reading()
    phone.app.becameActive()
    await phone.measure(Readings.first)
    let passive = try #require(phone.app.services?.passive)
    #expect(await phone.advance { await passive.status().devices.first?.lastRead != nil })
    #expect(await !phone.advance(minutes: 1) { !phone.notices.shown.isEmpty })
    phone.app.enteredBackground()
    await phone.measure(Readings.second)
    #expect(await phone.advance { !phone.notices.shown.isEmpty })
  }

  @Test func `says that a device has to be paired again`() async throws {
    let phone = try await reading()
    phone.device.forgetBonds()
    await phone.measure(Readings.first)
    #expect(await phone.advance { !phone.notices.shown.isEmpty })
    let notice = try #require(phone.notices.shown.first)
    #expect(notice.title == AppText(.couldNotRead, phone.monitor.name))
    #expect(notice.body == AppText(.pairItAgain))
    #expect(notice.tab == .devices)
  }

  @Test func `ends when the person signs out`() async throws {
    let phone = try await reading()
    guard case .signedIn(let person) = phone.app.state.phase else { throw Failure() }
    let notice = Notice(.readyToRead(phone.monitor, identifier: UUID()))
    phone.notices.post(try #require(notice))
    await AccountModel(person, phone.app).signOut()
    let passive = try #require(phone.app.services?.passive)
    #expect(await phone.advance { passive.peripheralIDs.isEmpty })
    let model = PassiveModel(passive)
    await model.load()
    #expect(!model.state.isWanted && !model.state.isOn)
    #expect(phone.notices.shown.isEmpty)
  }

  @Test func `leaves no notice when the server ends the sign-in`() async throws {
    let phone = try await reading()
    await phone.measure(Readings.first)
    #expect(await phone.advance { !phone.notices.shown.isEmpty })
    try await phone.server.revoke()
    try await phone.app.services?.session.submit(.sample("a"))
    await phone.wait { phone.app.state.phase == .signedOut(AppText(.signedOutByServer)) }
    #expect(phone.notices.shown.map(\.title) == [AppText(.signIn)])
  }

  /// A phone whose person has signed out when a reading had just been stored.
  private func signedOutWhileReading() async throws -> TestPhone {
    let phone = try await reading()
    await phone.measure(Readings.first, Readings.second)
    let session = try #require(phone.app.services?.session)
    let server = phone.server
    #expect(
      await phone.advance {
        let waiting = (try? await session.pendingCount()) ?? 0
        let sent = (try? await server.metrics().count) ?? 0
        return waiting + sent > 0
      })
    #expect(!phone.radio.connectedPeers.isEmpty && phone.notices.shown.isEmpty)
    await (try phone.account()).signOut()
    return phone
  }

  @Test func `says nothing of a reading that ends after the person has signed out`() async throws {
    let phone = try await signedOutWhileReading()
    #expect(await phone.advance { phone.radio.connectedPeers.isEmpty })
    #expect(await !phone.advance(minutes: 1) { !phone.notices.shown.isEmpty })
  }

  @Test func `says nothing of it to the next person`() async throws {
    let phone = try await signedOutWhileReading()
    let other = try await phone.server.addPerson("bed-13")
    await phone.signIn(other, at: phone.server.address)
    #expect(await phone.advance { phone.radio.connectedPeers.isEmpty })
    #expect(await !phone.advance(minutes: 1) { !phone.notices.shown.isEmpty })
    #expect(try await phone.server.metrics(of: other).isEmpty)
  }

  @Test func `does not go on for a person who has left for another server`() async throws {
    let phone = try await reading()
    let first = try #require(phone.app.services)
    // Without a sign-out, as one whose token was lost does it.
    let folder = phone.folder.appendingPathComponent("another")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let another = try await TestServer(in: folder)
    await phone.signIn(another.user, at: another.address)
    await phone.measure(Readings.first)
    #expect(await !phone.advance(minutes: 2) { !phone.radio.connectedPeers.isEmpty })
    #expect(try await first.session.pendingCount() == 0)
    // It does for one who has come back.
    try await phone.signIn()
    let server = phone.server
    #expect(await phone.advance { (try? await server.metrics().count) == 1 })
  }

  @Test func `reads what was paired just before the app was ended`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    // It is on for devices of another kind.
    let passive = try #require(phone.app.services?.passive)
    try await passive.setPeripheralIDs([1], devices: .enrolled)
    #expect(await phone.pair())
    try await phone.relaunch()
    await phone.measure(Readings.first)
    let server = phone.server
    #expect(await phone.advance { (try? await server.metrics().count) == 1 })
  }
}

@Suite struct `A notice` {
  private let identifier = UUID()
  private let device: DeviceModel

  init() throws { device = try #require(DeviceModel(id: 2)) }

  @Test func `says that a device is ready, as the sample of the manufacturer does`() throws {
    let notice = try #require(Notice(.readyToRead(device, identifier: identifier)))
    #expect(notice.title == AppText(.readyToRead, device.name))
    #expect(notice.body == AppText(.takeMeasurement))
    #expect(notice.id == identifier.description)
  }

  @Test func `takes the place of an earlier one of the same device, and has no values`() throws {
    let ready = try #require(Notice(.readyToRead(device, identifier: identifier)))
    let read = try #require(Notice(.read([.sample("a")], device, identifier: identifier)))
    #expect(read.id == ready.id)
    #expect(read.title.arguments + read.body.arguments == [device.name, "1"])
  }

  @Test func `asks whose a reading is`() throws {
    let notice = try #require(Notice(.undecided(.sample("a"), device, identifier: identifier)))
    #expect(notice.body == AppText(.isItYours))
    #expect(notice.tab == .review)
  }

  @Test func `is not made of what a person need not hear`() {
    #expect(Notice(.stateChanged(.interactiveOperation)) == nil)
    #expect(Notice(.read([], device, identifier: identifier)) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothBlueZ
import Foundation
import Testing

/// The person at this side, and what was asked.
private actor Operator {
  private(set) var questions: [PairingQuestion.Kind] = []
  private let answer: @Sendable (PairingQuestion.Kind) async -> PairingAnswer

  init(_ answer: @escaping @Sendable (PairingQuestion.Kind) async -> PairingAnswer) {
    self.answer = answer
  }

  func hear(_ question: PairingQuestion) async -> PairingAnswer {
    questions.append(question.kind)
    return await answer(question.kind)
  }

  /// A central whose pairings this person answers.
  func central() async throws -> LabCentral {
    try await LabCentral.ready(BlueZAdapter(nil) { await self.hear($0) }.managerOptions)
  }
}

private let encrypted = Data("for encrypted links".utf8)
private let authenticated = Data("for authenticated links".utf8)

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Attended pairing with BlueZ` {
  @Test(arguments: [[], ["--legacy"]])
  func `a protected read pairs by itself, and once`(options: [String]) async throws {
    let bench = try await LabPeer("bench", ["bench", "--name", "Lab bench"] + options)
    let person = Operator { $0 == .confirmation ? .accept : .reject }
    let link = try await LabLink.open(with: try await person.central())

    let first = try await link.read(6)
    let second = try await link.read(6)

    #expect(first == encrypted && second == encrypted)
    #expect(await person.questions.count <= 1)
    // The device may still be handing out keys.
    try await bench.ask("wait", "paired")
    #expect(try await bench.count("paired") == 1)
  }

  @Test func `a bond serves the next connection`() async throws {
    let bench = try await LabPeer.bench()
    let person = Operator { _ in .accept }
    let central = try await person.central()
    let link = try await LabLink.open(with: central)
    _ = try await link.read(6)
    let asked = await person.questions.count

    try await bench.ask("drop")
    try await central.wait(for: "the loss") { _ in
      link.peripheral.state == .disconnected ? () : nil
    }
    let again = try await LabLink.open(link.peripheral, with: central)
    let value = try await again.read(6)

    #expect(value == encrypted)
    #expect(await person.questions.count == asked)
    // The device may still be handing out keys.
    try await bench.ask("wait", "paired")
    #expect(try await bench.count("paired") == 1)
  }

  // Bumble does not know of an old pairing that there was a passkey: 5 would be refused.
  @Test(arguments: [([], 5, authenticated), (["--legacy"], 6, encrypted)])
  func `the device shows a passkey`(options: [String], secret: Int, value: Data) async throws {
    let bench = try await LabPeer(
      "bench", ["bench", "--name", "Lab bench", "--passkey", "012345"] + options)
    let person = Operator { $0 == .passkeyEntry ? .passkey(12_345) : .reject }
    let link = try await LabLink.open(with: try await person.central())

    let read = try await link.read(secret)

    #expect(read == value)
    #expect(await person.questions == [.passkeyEntry])
    // The device may still be handing out keys.
    try await bench.ask("wait", "paired")
    #expect(try await bench.count("paired") == 1)
  }

  @Test(arguments: [PairingAnswer.passkey(111_111), .passkey(1_000_000), .reject])
  func `a wrong passkey is an error, and the right one still pairs`(wrong: PairingAnswer)
    async throws
  {
    let bench = try await LabPeer(
      "bench", ["bench", "--name", "Lab bench", "--passkey", "123456"])
    let clumsy = Operator { _ in wrong }
    let link = try await LabLink.open(with: try await clumsy.central())

    #expect(try await refusal { _ = try await link.read(5) } == .insufficientAuthentication)
    #expect(try await bench.count("paired") == 0)

    let person = Operator { _ in .passkey(123_456) }
    let again = try await LabLink.open(with: try await person.central())
    #expect(try await again.read(5) == authenticated)
  }

  @Test func `the device requires a passkey to be entered`() async throws {
    let bench = try await LabPeer("bench", ["bench", "--name", "Lab bench", "--keyboard"])
    let person = Operator { question in
      guard case .passkeyDisplay(let digits) = question else { return .reject }
      _ = try? await bench.ask("type", "\(digits)")
      return .accept
    }
    let link = try await LabLink.open(with: try await person.central())

    #expect(try await link.read(5) == authenticated)
    #expect(await person.questions.count == 1)
  }

  @Test func `equal numbers pair`() async throws {
    let bench = try await LabPeer("bench", ["bench", "--name", "Lab bench", "--numeric"])
    let person = Operator { if case .numericComparison = $0 { .accept } else { .reject } }
    let link = try await LabLink.open(with: try await person.central())

    #expect(try await link.read(5) == authenticated)
    let event = try await bench.ask("wait", "numbers-compared")["event"] as? [String: Any]
    let number = (event?["number"] as? String).flatMap(Int.init)
    #expect(await person.questions == [.numericComparison(try #require(number))])
  }

  @Test(arguments: [true, false])
  func `numbers that differ do not pair`(isDeniedHere: Bool) async throws {
    let options = isDeniedHere ? ["--numeric"] : ["--numeric", "--deny"]
    let bench = try await LabPeer("bench", ["bench", "--name", "Lab bench"] + options)
    let person = Operator { _ in isDeniedHere ? .reject : .accept }
    let link = try await LabLink.open(with: try await person.central())

    do {
      #expect(try await refusal { _ = try await link.read(5) } == .insufficientAuthentication)
    } catch let error as CBError {
      // The device may end it all before anybody is asked here.
      #expect(!isDeniedHere && error.code == .peripheralDisconnected)
    }
    #expect(try await bench.count("paired") == 0)
    #expect(await person.questions.count <= 1)
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Unattended pairing with BlueZ` {
  @Test func `pairs if nothing has to be entered`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    #expect(try await link.read(6) == encrypted)
    // The device may still be handing out keys.
    try await bench.ask("wait", "paired")
    #expect(try await bench.count("paired") == 1)
  }

  /// bluetoothd never answers such a read, and no request that comes after it.
  @Test func `ends a link whose pairing needs a user`() async throws {
    let bench = try await LabPeer(
      "bench", ["bench", "--name", "Lab bench", "--passkey", "123456"])
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)
    let secret = try link.characteristic(5)
    let start = await central.look { _ in central.events.count }

    try await central.wait(
      for: .disconnected, .seconds(50), after: { _ in link.peripheral.readValue(for: secret) })
    let events = await central.look { _ in central.events[start...] }

    #expect(events.map(\.kind) == [.value, .disconnected])
    #expect((events.first?.error as? CBError)?.code == .connectionTimeout)
    #expect(events.last?.error != nil)
    #expect(try await bench.count("passkey-shown") == 0)
    let again = try await LabLink.open(link.peripheral, with: central)
    #expect(try await again.read(1).count == 512)
  }
}

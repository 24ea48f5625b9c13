// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioJSON
import Testing

@testable import Hub

@Suite struct `Messages on a hub's control socket` {
  @Test(
    arguments: [
      (.status, #"{"request":"status"}"#), (.resume, #"{"request":"resume"}"#),
      (.reload, #"{"request":"reload"}"#), (.stop, #"{"request":"stop"}"#),
      (.pause(seconds: nil), #"{"request":"pause"}"#),
      (.pause(seconds: 90), #"{"request":"pause","seconds":90}"#),
      (.release(.patient("bed-2")), #"{"request":"release","patient":"bed-2"}"#),
      (
        .release(.records(["a", "b"], patient: nil)),
        #"{"request":"release","records":["a","b"]}"#
      ),
      (
        .release(.records(["a"], patient: "bed-2")),
        #"{"request":"release","patient":"bed-2","records":["a"]}"#
      ),
      (
        .forget(HubStatus.monitor, patient: nil),
        #"{"request":"forget","device":"B6A6E7B4-30C5-4A5C-9C2C-0D6A3C6F2A11"}"#
      ),
      (
        .forget(HubStatus.monitor, patient: "bed-2"),
        #"{"request":"forget","device":"B6A6E7B4-30C5-4A5C-9C2C-0D6A3C6F2A11","#
          + #""patient":"bed-2"}"#
      ),
      (
        .enroll(.init(patient: .code("4711 0815"))),
        #"{"request":"enroll","code":"4711 0815","seconds":120}"#
      ),
      (
        .enroll(.init(patient: .alias("bed-2"))),
        #"{"request":"enroll","patient":"bed-2","seconds":120}"#
      ),
      (
        .enroll(
          .init(
            patient: .alias("bed-2"), model: 10100, device: HubStatus.monitor, slot: 2, passkey: 42,
            acceptsAll: true, seconds: 60)),
        #"{"request":"enroll","patient":"bed-2","model":10100,"#
          + #""device":"B6A6E7B4-30C5-4A5C-9C2C-0D6A3C6F2A11","slot":2,"passkey":42,"yes":true,"#
          + #""seconds":60}"#
      ),
    ] as [(HubRequest, String)])
  func `are requests of one line`(_ request: HubRequest, _ line: String) throws {
    #expect(String(decoding: request.json, as: UTF8.self) == line)
    #expect(try HubRequest(parsing: line.utf8) == request)
  }

  @Test(arguments: [
    ("", "the text ends"), ("[]", "expected an object"), ("{}", "request: this member is required"),
    (#"{"request":"dance"}"#, "request: expected status, enroll"),
    (#"{"request":"status","x":1}"#, "unknown"),
    (#"{"request":"pause","seconds":0}"#, "seconds: expected 1 to 604800"),
    (#"{"request":"enroll"}"#, "name a \"patient\""),
    (#"{"request":"enroll","patient":"a b"}"#, "patient: expected the alias"),
    (#"{"request":"enroll","patient":"a","device":"x"}"#, "device: expected the identifier"),
    (#"{"request":"enroll","patient":"a","passkey":1000000}"#, "passkey: expected 0 to 999999"),
    (#"{"request":"forget"}"#, "device: this member is required"),
    (#"{"request":"forget","device":"x"}"#, "device: expected the identifier"),
    (#"{"request":"release"}"#, "name a \"patient\", or \"records\", or both"),
    (#"{"request":"release","records":[]}"#, "name 1 to 1000 records"),
    (#"{"request":"release","records":[""]}"#, "records[0]: expected the identifier"),
  ])
  func `that are malformed are explained`(_ line: String, _ text: String) {
    let fault = #expect(throws: HubFault.self) { try HubRequest(parsing: line.utf8) }

    #expect(fault?.code == .malformed)
    #expect(fault?.message.contains(text) == true, "\(fault?.message ?? "")")
  }

  @Test(
    arguments: [
      .progress(HubProgress(.found, "Found a monitor.")), .final(.status(.sample)),
      .final(
        .enrolled(
          .init(identifier: HubStatus.monitor, model: 10100, name: "BM54", patient: "bed-2"))),
      .final(.enrolled(.unconfirmed)),
      .final(.released(3)), .final(.released(3, left: 2)), .final(.paused(until: nil)),
      .final(.paused(until: HubStatus.now)),
      .final(.resumed), .final(.stopping),
      .final(
        .reloaded(
          .init(
            isInUse: true, changes: ["bed-2 was added"], restart: ["folder"],
            findings: [HubFinding(.warning, at: "patients", "there are none")]))),
      .final(.failed(HubFault(.refused, "no such patient"))),
    ] as [HubAnswerLine])
  func `are answers that read back as the same`(_ line: HubAnswerLine) throws {
    #expect(!line.json.contains(UInt8(ascii: "\n")))
    #expect(try HubAnswerLine(parsing: line.json) == line)
  }

  @Test func `have the names of the status that programs rely on`() throws {
    let json = try JSONParser.parse(HubStatus.sample.json.utf8)
    guard case .array(let patients)? = json["patients"],
      case .array(let devices)? = patients.first?["devices"]
    else {
      Issue.record("no patients or devices")
      return
    }

    #expect(json["since"] == .string("2027-01-14T07:00:00Z"))
    #expect(json["paused_until"] == .string("2027-01-15T08:10:00Z"))
    #expect(patients[0]["queued"] == .number(12))
    #expect(patients[0]["upload"]?["works"] == .bool(false))
    #expect(devices[0]["state"] == .string("failing"))
    #expect(devices[0]["battery_percent"] == .number(45))
    #expect(devices[0]["clock_drift_seconds"] == .number(-71.5))
    #expect(devices[1]["last_seen"] == nil)
    #expect(try HubStatus(json: HubStatus.sample.json) == .sample)
  }

  @Test func `show a status in columns`() {
    let expected = """
      ward-7, santorio 0.1.0, up 25 h
      paused for 10 min: no device is read
      adapter  ok: hci0
      mqtt     problem: the broker refuses the password

      PATIENT           QUEUED  OLDEST   HELD  REFUSED UPLOAD
      bed-1                 12  61 min      2        1 problem
        → the server does not answer
        → exports of the iPhone: 2 taken, the last one 2 h ago, 310 records. It has no end.
      bed-2                  0       –      0        0 ok

      PATIENT          DEVICE                     STATE        SEEN    READ    NEXT BATTERY    CLOCK
      bed-1            Beurer BM54 family         failing      40 s    25 h in 30 s    45 %    -71 s
        → It no longer knows this machine; pair it again.
      bed-1            AOJ AOJ-20A                waiting         –       –       –       –        –

      UNKNOWN DEVICE                       MODEL OR NAME                              SIGNAL     SEEN
      0F7D2C5E-86C4-4F0E-8B0A-5D1C1A9E7B22 AOJ AOJ-20A                               -61 dBm      3 s
      """
    #expect(HubStatus.sample.text == expected)
  }

  @Test func `show a status within 100 columns, whatever is in it`() {
    let long = String(repeating: "long\u{1B}[2J ", count: 60)
    var status = HubStatus.sample
    status.name = long
    status.adapter = .init(works: false, long)
    status.patients[0].alias = long
    status.patients[0].queued = 123_456_789
    status.patients[0].upload = .init(works: false, long)
    status.patients[0].devices[0].name = long
    status.patients[0].devices[0].reason = long
    status.patients[0].devices[0].lastSeen = .distantPast
    status.unknown[0].name = long

    let lines = status.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(!status.text.contains("\u{1B}"))
  }

  /// A hub with a reading that waits for a decision, and older ones.
  private var undecided: HubStatus {
    var status = HubStatus.sample
    var decision = HubStatus.Decision(
      record: "4d2c1a6e-77f1", device: "BM54", slot: 2,
      time: HubStatus.now - 240, reason: .aroundChange)
    decision.values = ["pulse rate 60 bpm"]
    decision.candidates = ["bed-1", "bed-2"]
    (decision.identifier, decision.isTimeUnknown) = (HubStatus.monitor, true)
    status.patients[1].decisions = [decision]
    status.patients[1].older = 3
    return status
  }

  @Test func `show what a decision needs`() {
    let lines = undecided.text.split(separator: "\n", omittingEmptySubsequences: false)
    let index = lines.firstIndex { $0.hasPrefix("WHOSE?") } ?? 0
    #expect(
      lines[index..<(index + 3)].joined(separator: "\n") == """
        WHOSE?                 DEVICE               SLOT   MEASURED READING
        bed-1 or bed-2         BM54                 2      4 min    4d2c1a6e-77f1
          → pulse rate 60 bpm, measured when another patient may have had the device
        """)
    // Another one of its model makes the device's identifier of use.
    var two = undecided
    two.patients[0].devices.append(two.patients[0].devices[0])
    two.patients[0].devices[0].identifier = HubStatus.monitor
    two.patients[0].devices[2].identifier = UUID()
    #expect(two.text.contains(HubStatus.monitor.uuidString))
    #expect(undecided.text.contains("→ older than the enrolment of their device, and set aside: 3"))
  }

  @Test func `have a decision as it was`() throws {
    #expect(try HubStatus(json: undecided.json) == undecided)
  }

  @Test(arguments: HubRole.allCases)
  func `show values to those only who decide`(role: HubRole) {
    guard case .status(let shown) = HubAnswer.status(undecided).shown(to: role) else {
      Issue.record("another answer")
      return
    }
    let values = shown.patients[1].decisions[0].values
    #expect(values.isEmpty == (role == .look))
    #expect(shown.patients[1].decisions[0].candidates == ["bed-1", "bed-2"])
  }
}

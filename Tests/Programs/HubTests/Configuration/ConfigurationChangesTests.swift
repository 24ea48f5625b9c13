// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Hub

@Suite struct `Changing a hub's configuration` {
  private typealias Text = ConfigurationText

  private func configuration(_ text: ConfigurationText) throws -> HubConfiguration {
    let reading = text.reading
    return try #require(reading.configuration, "\(reading.findings)")
  }

  private func changes(
    from old: ConfigurationText? = nil, to new: ConfigurationText
  ) throws -> HubConfiguration.Changes {
    try configuration(old ?? Text()).changes(to: configuration(new))
  }

  @Test func `needs nothing where nothing changes but the order`() throws {
    #expect(try changes(to: Text()).isEmpty)
    let reordered = try Text().with(
      "patients", "[\(Text.patient("bed-2")), \(Text.patient("bed-1"))]")
    #expect(try changes(to: reordered).isEmpty)
  }

  @Test func `names patients who come and go`() throws {
    let changes = try changes(
      to: Text().with("patients", "[\(Text.patient("bed-2")), \(Text.patient("bed-3"))]"))

    #expect(changes.added.map(\.alias) == ["bed-3"])
    #expect(changes.removed.map(\.alias) == ["bed-1"])
    #expect(changes.changed == [] && changes.parts == [] && changes.restart == [])
  }

  @Test func `says what has changed of a patient`() throws {
    let user = try changes(to: Text().with("patients[0].user", "\"other\""))
    #expect(user.changed.map(\.parts) == [[.user]])
    #expect(user.changed.first?.old.account?.user == "u-bed-1")
    #expect(user.changed.first?.new.account?.user == "other")

    let token = try changes(to: Text().with("patients[1].token", "{\"file\": \"/t\"}"))
    #expect(token.changed.map(\.parts) == [[.token]])

    let device = "[{\"device\": \"\(Text.monitor)\"}]"
    let devices = try changes(to: Text().with("patients[1].devices", device))
    #expect(devices.changed.map(\.new.alias) == ["bed-2"])
    #expect(devices.changed.map(\.parts) == [[.devices]])
    #expect(devices.moved == [])
  }

  @Test func `takes a patient in another folder for another one`() throws {
    let changes = try changes(to: Text().with("patients[0].folder", "\"elsewhere\""))

    #expect(changes.removed.map(\.folder) == ["bed-1"])
    #expect(changes.added.map(\.folder) == ["elsewhere"])
    #expect(changes.changed == [])
  }

  @Test func `names a device that moves to another patient`() throws {
    let device = "[{\"device\": \"\(Text.monitor)\", \"slot\": 1}]"
    let other = "[{\"device\": \"\(Text.monitor)\", \"slot\": 2}]"
    let monitor = try #require(UUID(uuidString: Text.monitor))
    let first = try Text().with("patients[0].devices", device)

    let moved = try changes(from: first, to: Text().with("patients[1].devices", device))
    #expect(moved.moved == [.init(device: monitor, from: ["bed-1"], to: ["bed-2"])])
    #expect(moved.changed.map(\.parts) == [[.devices], [.devices]])

    let shared = try changes(from: first, to: first.with("patients[1].devices", other))
    #expect(shared.moved == [.init(device: monitor, from: ["bed-1"], to: ["bed-1", "bed-2"])])

    #expect(try changes(from: first, to: Text()).moved == [])
  }

  @Test(
    arguments: [
      ("server", "\"https://other.example.org\"", .server),
      ("pin", "[\"sha256/\(zeros)\", \"sha256/\(ones)\"]", .server),
      ("allow", "{\"enrolment\": false}", .allow), ("metrics", "{}", .metrics),
      ("control", "{\"uids\": [7]}", .users), ("mqtt", "{\"server\": \"mqtts://b.org\"}", .mqtt),
      ("clock", "\"shown\"", .clock),
    ] as [(String, String, HubConfiguration.Changes.Part)])
  func `says which part changes`(
    _ place: String, _ value: String, _ part: HubConfiguration.Changes.Part
  ) throws {
    let changes = try changes(to: Text().with(place, value))

    #expect(changes.parts == [part])
    #expect(changes.restart == [] && !changes.isEmpty)
  }

  private static let zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  private static let ones = "//////////////////////////////////////////8="

  @Test(arguments: [
    ("name", "\"ward-8\"", "name"), ("folder", "\"/srv/hub\"", "folder"),
    ("radio", "\"simulated\"", "radio"), ("queue_key", "{\"credential\": \"k\"}", "queue_key"),
    ("control", "{\"socket\": \"/run/other.sock\"}", "control.socket"),
  ])
  func `says what only a restart changes`(
    _ place: String, _ value: String, _ restart: String
  ) throws {
    let changes = try changes(to: Text().with(place, value))

    #expect(changes.restart == [restart])
    #expect(changes.parts == [] && changes.changed == [])
  }
}

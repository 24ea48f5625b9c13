// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

@testable import ValidicCore

extension ValidicNames {
  @Suite @MainActor final class Session {
    let app: App

    init() async throws {
      app = try App()
      try await app.launch()
    }

    private func weight(_ kilograms: Double) -> VLDWeight {
      let record = VLDWeight()
      record.weight = NSNumber(value: kilograms)
      return record
    }

    private var session: VLDSession { VLDSession.sharedInstance() }

    @Test func `has one instance, a version, and no user at first`() {
      #expect(VLDSession.sharedInstance() === VLDSession.sharedInstance())
      #expect(VLDSession.libraryVersion() == SantorioVersion.current)
      #expect(session.user == nil)
    }

    @Test func `has its user when the start returns, and after a relaunch`() async throws {
      session.start(with: app.user)
      #expect(session.user == app.user)
      try await app.launch()
      #expect(session.user == app.user)
    }

    @Test func `sends a record once and tells of it on the main thread`() async throws {
      let notes = PostedNotes(.vldRecordSubmitted, .vldRecordSubmissionFailed)
      session.start(with: app.user)
      session.submitRecord(weight(71.5))
      await app.wait { notes.all.count == 1 }
      let note = try #require(notes.all.first)
      #expect(note.name == .vldRecordSubmitted && note.isOnMainThread)
      let record = try #require(note.object as? VLDWeight)
      #expect(record.weight == 71.5)
      #expect(record.recordID?.isEmpty == false)
      #expect(try await session.session.pendingCount() == 0)
    }

    @Test func `has records on disk, in their order, when the calls return`() async throws {
      try await app.launch(reachesServer: false)
      session.start(with: app.user)
      let records = (60..<90).map { weight(Double($0)) }
      for record in records.prefix(20) { session.submitRecord(record) }
      session.submitRecords(Array(records.dropFirst(20)))
      // Another session object sees what is on the disk.
      let kept = try await copy().pendingRecords()
      #expect(kept.map(\.logID) == records.map(\.activityID))
    }

    /// A session with the files as they are now, as after a kill.
    private func copy() throws -> SantorioSession {
      let place = app.folder.url.appendingPathComponent(UUID().uuidString)
      try FileManager.default.copyItem(at: app.directory, to: place)
      return SantorioSession(.init(directory: place, endpoint: app.url))
    }

    @Test func `can be used by all threads at once`() async throws {
      try await app.launch(reachesServer: false)
      session.start(with: app.user)
      // More of them than the cooperative pool has threads.
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask {
            let record = VLDWeight()
            record.weight = NSNumber(value: 50 + number)
            VLDSession.sharedInstance().submitRecord(record)
          }
        }
      }
      #expect(try await session.session.pendingCount() == 64)
    }

    @Test func `gives back a record that cannot be stored`() async throws {
      let notes = PostedNotes(.vldRecordSubmissionFailed)
      session.start(with: app.user)
      session.submitRecord(VLDWeight())
      session.submitRecord(nil)
      await app.wait { notes.all.count == 1 }
      let note = try #require(notes.all.first)
      #expect(note.isOnMainThread && note.object is VLDRecord)
      let error = try #require(note.userInfo["error"] as? NSError)
      #expect(error.domain == kVLDSessionErrorDomain)
      #expect(error.userInfo["code"] as? String == "invalid_record")
    }

    @Test func `gives back a record that has no session`() async throws {
      let notes = PostedNotes(.vldRecordSubmissionFailed)
      session.submitRecord(weight(80))
      await app.wait { notes.all.count == 1 }
      let error = try #require(notes.all.first?.userInfo["error"] as? NSError)
      #expect(error.userInfo["code"] as? String == "no_session")
      #expect((notes.all.first?.object as? VLDWeight)?.weight == 80)
    }

    @Test func `ends with the records that were not sent`() async throws {
      try await app.launch(reachesServer: false)
      let notes = PostedNotes(.vldSessionEnded)
      session.start(with: app.user)
      session.submitRecords([weight(70), weight(71)])
      session.end()
      #expect(session.user == nil)
      await app.wait { notes.all.count == 1 }
      let note = try #require(notes.all.first)
      #expect(note.isOnMainThread)
      #expect(note.userInfo["validicUserID"] as? String == app.user.validicUserID)
      #expect(note.userInfo["organizationID"] as? String == app.user.organizationID)
      let records = try #require(note.userInfo["records"] as? [VLDRecord])
      #expect(records.map { ($0 as? VLDWeight)?.weight } == [70, 71])
    }

    @Test func `keeps the queue when the same user starts again`() async throws {
      try await app.launch(reachesServer: false)
      let notes = PostedNotes(.vldSessionEnded)
      session.start(with: app.user)
      session.submitRecord(weight(70))
      session.start(with: app.user)
      #expect(try await session.session.pendingCount() == 1)
      let other = VLDUser(validicUserID: "other", organizationID: "acme", accessToken: "t")
      session.start(with: other)
      await app.wait { notes.all.count == 1 }
      #expect((notes.all.first?.userInfo["records"] as? [VLDRecord])?.count == 1)
      #expect(session.user == other)
    }

    @Test func `ends by itself when the server does not know the user`() async throws {
      let notes = PostedNotes(.vldSessionEnded)
      let stranger = VLDUser(
        validicUserID: app.user.validicUserID, organizationID: "acme", accessToken: "wrong")
      var configuration = try app.configuration()
      configuration.refusalGrace = .zero
      await App.end()
      VLDSession.configure(configuration)
      session.start(with: stranger)
      session.submitRecord(weight(70))
      await app.wait { notes.all.count == 1 }
      #expect((notes.all.first?.userInfo["records"] as? [VLDRecord])?.count == 1)
      #expect(session.user == nil)
    }

    @Test func `leaves a user alone that no server can have`() {
      session.start(with: VLDUser(validicUserID: "a b", organizationID: "o", accessToken: "t"))
      #expect(session.user == nil)
    }

    @Test func `ends the session before also when the next one cannot start`() async throws {
      try await app.launch(reachesServer: false)
      let notes = PostedNotes(.vldSessionEnded)
      session.start(with: app.user)
      session.submitRecord(weight(70))
      session.start(with: VLDUser(validicUserID: "b", organizationID: "o", accessToken: ""))
      #expect(session.user == nil)
      await app.wait { notes.all.count == 1 }
      #expect((notes.all.first?.userInfo["records"] as? [VLDRecord])?.count == 1)
      session.start(with: app.user)
      let same = VLDUser(
        validicUserID: app.user.validicUserID, organizationID: app.user.organizationID,
        accessToken: "")
      session.start(with: same)
      #expect(session.user == app.user)
    }

    @Test func `sends an image after its record`() async throws {
      let notes = PostedNotes(.vldRecordImageSubmitted, .vldRecordImageSubmissionFailed)
      session.start(with: app.user)
      // The start of a PNG is enough for the server, which stores it as it is.
      let image = Data(
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + [UInt8](repeating: 1, count: 64))
      session.submitRecord(weight(70), imageData: image)
      await app.wait { notes.all.count == 1 }
      let note = try #require(notes.all.first)
      #expect(note.name == .vldRecordImageSubmitted && note.isOnMainThread)
      let media = try #require(note.object as? VLDMedia)
      #expect(media.mediaID?.isEmpty == false)
      let url = try #require(media.mediaURL.flatMap { URL(string: $0) })
      let authenticated = try #require(media.authenticatedURL())
      #expect(authenticated.path == url.path)
      #expect(authenticated.query == "token=\(app.user.accessToken)")
      media.mediaURL = "https://elsewhere.example\(url.path)"
      #expect(media.authenticatedURL() == nil)
    }

    @Test func `submits a record alone without an image, and with a bad one`() async throws {
      try await app.launch(reachesServer: false)
      let notes = PostedNotes(.vldRecordSubmissionFailed, .vldRecordImageSubmissionFailed)
      session.start(with: app.user)
      session.submitRecord(weight(70), imageData: nil)
      #expect(try await session.session.pendingCount() == 1)
      session.submitRecord(weight(71), imageData: Data([1, 2, 3]))
      await app.wait { notes.all.count == 1 }
      #expect(notes.all.first?.name == .vldRecordImageSubmissionFailed)
      #expect(try await session.session.pendingCount() == 2)
    }

    @Test func `keeps the default user's readings, and refuses what no device measured`()
      async throws
    {
      let notes = PostedNotes(.vldRecordSubmissionFailed)
      session.start(with: VLDUser.defaultUser())
      #expect(session.user == VLDUser.defaultUser())
      let reading = weight(70)
      reading.content.source = RecordSource(type: .bluetooth)
      session.submitRecord(reading)
      #expect(try await session.session.pendingCount() == 1)
      session.submitRecord(weight(71))
      await app.wait { notes.all.count == 1 }
      let error = try #require(notes.all.first?.userInfo["error"] as? NSError)
      #expect(error.userInfo["code"] as? String == "default_user")
    }

    // MARK: - Configuration

    @Test func `cannot be configured once it is in use`() throws {
      _ = VLDSession.sharedInstance()
      #expect(!VLDSession.configure(server: app.url))
    }

    @Test func `keeps records without a server, and sends them once there is one`() async throws {
      await App.end()
      let notes = PostedNotes(.vldRecordSubmitted)
      var alone: VLDSession? = VLDSession(.unconfigured(in: app.directory), isConfigured: false)
      alone?.start(with: app.user)
      alone?.submitRecord(weight(70))
      #expect(try await alone?.session.pendingCount() == 1)
      await alone?.session.suspend()
      alone = nil
      try await app.launch()
      #expect(session.user == app.user)
      await app.wait { notes.all.count == 1 }
      #expect(try await session.session.pendingCount() == 0)
    }

    @Test func `is configured by the Info.plist`() throws {
      func destination(_ entries: [String: Any]?) -> (any RecordDestination)? {
        SessionDictionary(entries.map { ["Santorio": $0] }).configuration?.destination
      }
      let server = "https://readings.example/api"
      #expect(destination(["Server": server]) is IngestAPI)
      #expect(destination(["Server": server])?.endpoint.absoluteString == server)
      #expect(destination(["Server": server, "Destination": "Ingest"]) is IngestAPI)
      #expect(destination(["Server": server, "Destination": "InformConnect"]) is InformConnect)
      #expect(destination(["Server": server, "Destination": "LegacyV1"]) is LegacyV1)
      #expect(destination(["Server": server, "Destination": "FHIR"]) is FHIRServer)
      #expect(destination(["Server": server, "Destination": "Other"]) == nil)
      #expect(destination(["Destination": "FHIR"]) == nil)
      #expect(destination(["Server": "readings.example"]) == nil)
      #expect(destination(["Server": "file:///tmp"]) == nil)
      #expect(destination([:]) == nil)
      #expect(destination(nil) == nil)
    }

    // MARK: - Notifications

    @Test func `names records and media that fail`() throws {
      let failure = RecordFailure(
        code: "invalid", message: "value", path: "metrics[0].value", status: 422)
      let failed = try #require(
        SessionEvent.recordFailed(weight(70).content, failure).validicNotification)
      #expect(failed.name == .vldRecordSubmissionFailed)
      #expect((failed.object as? VLDWeight)?.weight == 70)
      let error = try #require(failed.userInfo?["error"] as? NSError)
      #expect(error.code == 422 && error.localizedDescription == "value")
      #expect(error.userInfo["path"] as? String == "metrics[0].value")
      let media = RecordMedia(of: [1], contentType: "image/png")
      let image = try #require(
        SessionEvent.imageFailed(media, logID: "1", failure).validicNotification)
      #expect(image.name == .vldRecordImageSubmissionFailed && image.object is VLDMedia)
      #expect((image.userInfo?["error"] as? NSError)?.code == 422)
    }

    @Test func `tells of no record that is no reading`() {
      var status = weight(70).content
      status.kind = .deviceStatus
      #expect(SessionEvent.recordSubmitted(status, serverID: "1").validicNotification == nil)
      #expect(VLDRecord.record(of: status).recordType() == .none)
    }

    // MARK: - Logging

    @Test func `lets a logger ask for the session's user`() async throws {
      let logging = VLDLogging.sharedInstance()
      let wasEnabled = logging.isEnabled
      defer {
        logging.isEnabled = wasEnabled
        logging.setLogger(nil)
      }
      session.start(with: app.user)
      let users = Locked<[String: String]>([:])
      logging.isEnabled = true
      logging.setLogger { _, message in
        let user = VLDSession.sharedInstance().user?.validicUserID
        users.withLock { $0[message] = user ?? "" }
      }
      // It is logged in the middle of the session's work.
      let record = weight(70)
      session.submitRecord(record)
      let deletion = RecordDeletion(
        of: record.content.logID, noticed: Date() + 60, kind: .measurement, reason: .atSource)
      try await session.session.submit(deletions: [deletion])
      session.submitRecord(record)
      await app.wait {
        users.withLock { users in
          users.contains { message, user in
            message.contains("deleted record came again") && user == app.user.validicUserID
          }
        }
      }
    }

    @Test func `logs what the numbers of the documents name`() async {
      let logging = VLDLogging.sharedInstance()
      let (wasEnabled, before) = (logging.isEnabled, logging.log)
      defer { (logging.isEnabled, logging.log) = (wasEnabled, before) }
      logging.isEnabled = true
      logging.log = VLDLog.bluetooth.rawValue | VLDLog.core.rawValue
      #expect(SantorioLogging.shared.frameworks == [.bluetooth, .core])
      #expect(VLDLog.allCases.map(\.rawValue) == [1, 2, 4, 8])
      let tags = Locked<[String]>([])
      logging.setLogger { tag, _ in tags.withLock { $0.append(tag) } }
      #expect(logging.getLogger() != nil)
      session.start(with: app.user)
      await app.wait { tags.withLock { $0 }.contains("SantorioSession") }
      logging.setLogger(nil)
      #expect(logging.getLogger() == nil)
    }
  }
}
